import type { Collection, Connection } from 'mongoose';
import { NONE, parkedCollection } from './parked-collection.store';
import type { ParkedRecord } from './parked-record';

export const PARKED_KINDS = ['blocking', 'aside'] as const;
type ParkedKind = (typeof PARKED_KINDS)[number];

const kept = (kind: ParkedKind) => ({ aside: kind === 'aside' ? (true as const) : NONE });

/** Frequent queries on the `parked` collection; each reads only the start of an index. */
export class ParkedMeasures {
  private readonly parked: Collection<ParkedRecord>;

  constructor(connection: Connection) {
    this.parked = parkedCollection(connection);
  }

  /** Whether one of these groups has a parked record. Usually none has, and one look answers for all series. */
  async any(groups: readonly string[]): Promise<boolean> {
    return (await this.parked.findOne({ group: { $in: [...groups] } }, { projection: { _id: 1 } })) !== null;
  }

  count(
    { group, topic, kind }: { readonly group: string; readonly topic: string; readonly kind: ParkedKind },
    atMost: number,
  ): Promise<number> {
    return this.parked.countDocuments({ group, topic, ...kept(kind) }, { limit: atMost });
  }

  async oldest(
    { group, kind }: { readonly group: string; readonly kind: ParkedKind },
    now: Date,
  ): Promise<Date | undefined> {
    const oldest = await this.parked.findOne(
      { group, ...kept(kind), at: { $lte: now } },
      { sort: { at: 1 }, projection: { at: 1 } },
    );
    return oldest?.at;
  }
}
