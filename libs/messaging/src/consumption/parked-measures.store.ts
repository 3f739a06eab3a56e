import type { Collection, Connection } from 'mongoose';
import { parkedCollection } from './parked-model.store';
import type { Parked } from './parked-record';

/** Whether a parked record holds back the later ones of its key. */
export const PARKED_KINDS = ['holding', 'aside'] as const;
export type ParkedKind = (typeof PARKED_KINDS)[number];

/** What is asked of the `parked` collection of a service so often that each answer must come from the beginning of an index. */
export class ParkedMeasures {
  private readonly parked: Collection<Parked>;

  constructor(connection: Connection) {
    this.parked = parkedCollection(connection);
  }

  /** How many records of a group's topic are parked, counted up to `atMost`. */
  count({ group, topic, kind }: { readonly group: string; readonly topic: string; readonly kind: ParkedKind }, atMost: number): Promise<number> {
    const of = kind === 'aside' ? { group, topic, aside: true as const } : { group, topic, aside: null };
    return this.parked.countDocuments(of as object, { limit: atMost });
  }

  /** When the record of a group was parked that has been there the longest; undefined: there is none. */
  async oldest(group: string, now: Date): Promise<Date | undefined> {
    const oldest = await this.parked.findOne({ group, at: { $lte: now } }, { sort: { at: 1 }, projection: { at: 1 } });
    return oldest?.at;
  }
}
