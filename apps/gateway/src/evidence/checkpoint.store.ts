import { randomUUID } from 'node:crypto';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

/** The last checkpoint of the transparency log, and who may sign the next one. */
export interface CheckpointDocument {
  readonly _id: typeof THE_LOG;
  readonly size: number;
  /** The signed note; absent before the first one. */
  readonly note?: string;
  /** When that was saved, by the clock of its process. */
  readonly signedAt?: Date;
  /** From when on the log may be claimed (decision 7). */
  readonly dueAt: Date;
  readonly token?: string;
}

const THE_LOG = 'log';

export class CheckpointStore {
  private readonly heads: Collection<CheckpointDocument>;

  constructor(connection: Connection) {
    this.heads = connection.collection<CheckpointDocument>('transparency');
  }

  async read(): Promise<CheckpointDocument | undefined> {
    return (await this.heads.findOne({ _id: THE_LOG })) ?? undefined;
  }

  /** The token of the claim; undefined where another process holds it. */
  async claim(now: Date, leaseMs: number): Promise<string | undefined> {
    const token = randomUUID();
    const dueAt = new Date(now.getTime() + leaseMs);
    try {
      const { matchedCount, upsertedCount } = await this.heads.updateOne(
        // A released claim is free at once, also where the clock of its process was ahead.
        { _id: THE_LOG, $or: [{ dueAt: { $lte: now } }, { token: { $exists: false } }] },
        { $set: { dueAt, token }, $setOnInsert: { size: 0 } },
        { upsert: true },
      );
      return matchedCount + upsertedCount === 1 ? token : undefined;
    } catch (error) {
      if (duplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** False, here and below: the claim is lost. */
  async renew(token: string, until: Date): Promise<boolean> {
    const { matchedCount } = await this.heads.updateOne({ _id: THE_LOG, token }, { $set: { dueAt: until } });
    return matchedCount === 1;
  }

  /** Also ends the claim. */
  async save(
    token: string,
    { size, note }: Required<Pick<CheckpointDocument, 'size' | 'note'>>,
    now: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.heads.updateOne(
      { _id: THE_LOG, token },
      { $set: { size, note, signedAt: now, dueAt: now }, $unset: { token: 1 } },
    );
    return matchedCount === 1;
  }

  async release(token: string, now: Date): Promise<void> {
    await this.heads.updateOne({ _id: THE_LOG, token }, { $set: { dueAt: now }, $unset: { token: 1 } });
  }
}
