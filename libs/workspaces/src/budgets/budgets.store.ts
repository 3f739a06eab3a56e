import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { BudgetState } from './rule';

interface BudgetDocument extends BudgetState {
  /** `<ws>|<budget>` */
  readonly _id: string;
  readonly ws: string;
}

const MOST_TRIES = 10;
/** Those who collided come back at different times, or the same ones would lose again. */
const LONGEST_PAUSE_MS = 8;

/** Other processes were quicker each time. */
export class BudgetContended extends Error {
  override readonly name = 'BudgetContended';
}

/** One document for each workspace and budget, in the database of the service that spends it. It is found by its id alone. */
export class BudgetsStore {
  private readonly budgets: Collection<BudgetDocument>;

  constructor(connection: Connection) {
    this.budgets = connection.collection<BudgetDocument>('budgets');
  }

  /**
   * Changes what is written down of a budget, by compare-and-set: `decide` is asked again with what another process wrote meanwhile, and
   * its last answer is given. Nothing is written where that holds no state. Throws BudgetContended after ten tries.
   */
  async change<T extends { readonly state: BudgetState | undefined }>(ws: string, budget: string, decide: (seen: BudgetState | undefined) => T): Promise<T> {
    const _id = `${ws}|${budget}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const seen = (await this.budgets.findOne({ _id })) ?? undefined;
      const decided = decide(seen && { at: seen.at, taken: seen.taken });
      if (decided.state === undefined || (await this.write({ _id, ws, ...decided.state }, seen))) return decided;
      await pause(randomInt(LONGEST_PAUSE_MS));
    }
    throw new BudgetContended('a budget could not be changed');
  }

  private async write({ _id, ws, at, taken }: BudgetDocument, seen: BudgetState | undefined): Promise<boolean> {
    if (seen) {
      const { matchedCount } = await this.budgets.updateOne({ _id, ws, at: seen.at, taken: seen.taken }, { $set: { at, taken } });
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
