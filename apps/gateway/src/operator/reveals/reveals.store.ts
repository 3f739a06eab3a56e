import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { Place } from '../lists/cursor';
import type { RevealDocument, RevealState } from './reveal.document';

const HOUR_MS = 3_600_000;
/** How long an approval is waited for, and how long it then counts. */
const OPEN_MS = 24 * HOUR_MS;
const APPROVED_MS = HOUR_MS;
/** How long a used one is listed. The audit trail keeps it for ever. */
const USED_MS = 24 * HOUR_MS;

type Wish = Omit<RevealDocument, 'state' | 'endsAt' | 'approvedBy' | 'approvedAt'>;
type Asked = Pick<RevealDocument, 'ws' | 'srid' | 'askedBy'>;

/** Wishes to see identities that need a second person. `now` returns milliseconds since 1970. */
export class RevealsStore {
  private readonly reveals: Collection<RevealDocument>;

  constructor(
    connection: Connection,
    private readonly now: () => number,
  ) {
    this.reveals = declareCollection(connection, 'reveals', [
      { fields: { ws: 1, srid: 1 } },
      { fields: { state: 1, askedAt: 1, _id: 1 } },
      { fields: { endsAt: 1 } },
    ]);
  }

  async add(wish: Wish): Promise<RevealDocument> {
    const document = { ...wish, state: 'open', endsAt: new Date(wish.askedAt.getTime() + OPEN_MS) } as const;
    await this.reveals.insertOne(document);
    return document;
  }

  /** The wishes of an operator about a request that count and were not used. */
  async ofAsker({ ws, srid, askedBy }: Asked): Promise<readonly RevealDocument[]> {
    const found = await this.reveals.find({ ws, srid }).toArray();
    return found.filter((one) => one.askedBy === askedBy && one.state !== 'used' && this.counts(one));
  }

  async find(_id: string): Promise<RevealDocument | undefined> {
    const found = await this.reveals.findOne({ _id });
    return found && this.counts(found) ? found : undefined;
  }

  /** Those that count, the earliest first. `workspaces` undefined: of all. */
  list(
    state: RevealState,
    { workspaces, after, limit }: { workspaces?: readonly string[]; after?: Place | undefined; limit: number },
  ): Promise<RevealDocument[]> {
    const of = {
      ...{ state, endsAt: { $gt: new Date(this.now()) } },
      ...(workspaces && { ws: { $in: [...workspaces] } }),
      ...(after && { $or: [{ askedAt: { $gt: after.at } }, { askedAt: after.at, _id: { $gt: after.id } }] }),
    };
    return this.reveals.find(of, { sort: { askedAt: 1, _id: 1 }, limit }).toArray();
  }

  /** False: it is not open any more. */
  async approve({ _id }: RevealDocument, approvedBy: string): Promise<boolean> {
    const approvedAt = new Date(this.now());
    const endsAt = new Date(approvedAt.getTime() + APPROVED_MS);
    const { matchedCount } = await this.reveals.updateOne(
      { _id, state: 'open', endsAt: { $gt: approvedAt } },
      { $set: { state: 'approved', approvedBy, approvedAt, endsAt } },
    );
    return matchedCount === 1;
  }

  /** False: it was used before. */
  async use({ _id }: RevealDocument): Promise<boolean> {
    const endsAt = new Date(this.now() + USED_MS);
    const used = await this.reveals.updateOne({ _id, state: 'approved' }, { $set: { state: 'used', endsAt } });
    return used.matchedCount === 1;
  }

  async removeEnded(): Promise<void> {
    await this.reveals.deleteMany({ endsAt: { $lte: new Date(this.now()) } });
  }

  private counts({ endsAt }: RevealDocument): boolean {
    return endsAt.getTime() > this.now();
  }
}
