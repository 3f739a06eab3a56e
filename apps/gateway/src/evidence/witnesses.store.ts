import { randomUUID } from 'node:crypto';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

/** What a witness has cosigned last, and when it is offered a checkpoint next. */
export interface WitnessDocument {
  /** Its `witnessId`. */
  readonly _id: string;
  /** The size of that checkpoint; 0 before the first one. */
  readonly size: number;
  /** That checkpoint as the log signed it, and the line of the witness below it. */
  readonly note?: string;
  readonly cosignature?: string;
  /** When it cosigned last; before the first time, when it was offered one first. */
  readonly since: Date;
  /** From when on it may be claimed (decision 7). */
  readonly dueAt: Date;
  readonly token?: string;
  /** Failures since it cosigned last, and what the last one was. */
  readonly tries: number;
  readonly reason?: string;
  /** The checkpoint that it did not cosign then, as the log signed it. */
  readonly failed?: string;
}

/** The cosignatures of witnesses: of each the newest, with the checkpoint that it stands for. */
export class WitnessesStore {
  private readonly witnesses: Collection<WitnessDocument>;

  constructor(connection: Connection) {
    this.witnesses = connection.collection<WitnessDocument>('witnesses');
  }

  async find(id: string): Promise<WitnessDocument | undefined> {
    return (await this.witnesses.findOne({ _id: id })) ?? undefined;
  }

  /** The newest checkpoint that each of these has cosigned, and its line, in the order of their names. */
  async cosigned(ids: readonly string[]): Promise<Cosigned[]> {
    if (ids.length === 0) return [];
    const those = { _id: { $in: [...ids] }, cosignature: { $exists: true } };
    return (await this.witnesses.find(those, { sort: { _id: 1 } }).toArray()) as (WitnessDocument & Cosigned)[];
  }

  /** For an offer of this checkpoint. Undefined: it is not due, or another process has claimed it. */
  async claim(id: string, note: string, now: Date, leaseMs: number): Promise<(WitnessDocument & Claim) | undefined> {
    const token = randomUUID();
    const dueAt = new Date(now.getTime() + leaseMs);
    try {
      await this.witnesses.updateOne(
        { _id: id, $or: [{ dueAt: { $lte: now } }, { token: { $exists: false }, failed: { $ne: note } }] },
        { $set: { dueAt, token }, $setOnInsert: { size: 0, since: now, tries: 0 } },
        { upsert: true },
      );
    } catch (error) {
      if (!duplicateKey(error)) throw error;
    }
    const found = await this.find(id);
    return found?.token === token ? { ...found, token } : undefined;
  }

  /** A claim that is lost changes nothing. */
  async save({ _id, token }: Claim, cosigned: Cosigned, now: Date): Promise<void> {
    await this.witnesses.updateOne(
      { _id, token },
      { $set: { ...cosigned, since: now, dueAt: now, tries: 0 }, $unset: { token: 1, reason: 1, failed: 1 } },
    );
  }

  async release({ _id, token }: Claim, now: Date): Promise<void> {
    await this.witnesses.updateOne({ _id, token }, { $set: { dueAt: now }, $unset: { token: 1 } });
  }

  async postpone({ _id, token }: Claim, failure: Failure): Promise<void> {
    await this.witnesses.updateOne({ _id, token }, { $set: failure, $unset: { token: 1 } });
  }
}

type Failure = Required<Pick<WitnessDocument, 'dueAt' | 'tries' | 'reason' | 'failed'>>;

export type Claim = Required<Pick<WitnessDocument, '_id' | 'token'>>;
export type Cosigned = Required<Pick<WitnessDocument, 'size' | 'note' | 'cosignature'>>;
