import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { notifyWhenLate } from './notify-when-late';
import type { BudgetState } from './rule';

interface BudgetDocument extends BudgetState {
  readonly _id: string;
  readonly ws: string;
}

const MOST_TRIES = 20;
/** Random growing pauses, so that the same processes do not collide again. */
const PAUSE_STEP_MS = 4;

export interface Decision {
  readonly state: BudgetState | undefined;
}
export type Decide<T extends Decision> = (seen: BudgetState | undefined) => T;

export class BudgetContended extends Error {
  override readonly name = 'BudgetContended';
}

/** One document for each workspace and budget, in the database of the service. */
export class BudgetsStore {
  private readonly budgets: Collection<BudgetDocument>;

  constructor(
    connection: Connection,
    private readonly lateAfterMs: number,
  ) {
    this.budgets = connection.collection<BudgetDocument>('budgets');
  }

  /** Compare-and-set: calls `decide` again after a concurrent change. Throws BudgetContended. */
  async change<T extends Decision>(ws: string, budget: string, decide: Decide<T>, late: () => void): Promise<T> {
    const _id = `${ws}|${budget}`;
    const inTime = <R>(trip: Promise<R>): Promise<R> => notifyWhenLate(trip, this.lateAfterMs, late);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const seen = (await inTime(this.budgets.findOne({ _id }))) ?? undefined;
      const decided = decide(seen && { at: seen.at, taken: seen.taken });
      if (decided.state === undefined || (await inTime(this.write({ _id, ws, ...decided.state }, seen))))
        return decided;
      await pause(randomInt(PAUSE_STEP_MS * (tries + 1)));
    }
    throw new BudgetContended('a budget could not be changed');
  }

  private async write({ _id, ws, at, taken }: BudgetDocument, seen: BudgetState | undefined): Promise<boolean> {
    if (seen) {
      const { matchedCount } = await this.budgets.updateOne(
        { _id, ws, at: seen.at, taken: seen.taken },
        { $set: { at, taken } },
      );
      return matchedCount === 1;
    }
    try {
      await this.budgets.insertOne({ _id, ws, at, taken });
      return true;
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
  }
}
