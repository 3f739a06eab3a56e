import type { Verdict } from '../records';
import { recordOf } from './parked-record';
import { namesOf } from './quiet';
import { LEASE_MS, type Claimed, type RedriveStore } from './redrive.store';
import { answerAlone, type BatchRules } from './settle-batch';

const PAGE = 16;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Has parked records of a group handled again that an operator marked (D6): by the group's own handlers, as if they had just come, and in
 * the order of their keys (the rule of that is KeyLine's). Every replica runs it; a record is handled by one of them at a time.
 */
export class RedriveWorker {
  constructor(
    private readonly rules: Omit<BatchRules, 'parking'>,
    private readonly store: RedriveStore,
  ) {}

  /** Does one page of what is marked, and says how much that was. Rejects where the store is away; what was claimed comes again. */
  async runOnce(): Promise<number> {
    const claimed = await this.store.claim(this.rules.group, PAGE);
    const ends = await Promise.allSettled(claimed.map((one) => this.redo(one)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return claimed.length;
  }

  private async redo(claimed: Claimed): Promise<void> {
    if (claimed.done) return this.store.letGo(claimed);
    if (await this.store.line.before(claimed)) return this.wait(claimed);
    const { group, logger } = this.rules;
    const { topic, partition, offset } = claimed;
    try {
      const verdict = await this.verdictOn(claimed);
      if (typeof verdict === 'string') {
        await this.store.letGo(claimed);
        logger.info({ group, topic, partition, offset }, 'parked record redriven');
        return;
      }
      await this.store.parkAgain(claimed, verdict.park, verdict.aside);
      logger.warn({ group, topic, partition, offset, reason: verdict.park }, 'record parked again');
    } catch (error) {
      logger.warn({ group, topic, partition, offset, error: namesOf(error) }, 'redrive has to wait');
      await this.wait(claimed);
    }
  }

  /** Throws where something is away: then nothing is known about the record. */
  private async verdictOn(claimed: Claimed): Promise<Verdict> {
    // Where this fails the claim may run out, and another worker do the same once more, which handlers bear.
    const extending = setInterval(() => void this.store.keep(claimed).catch(() => undefined), LEASE_MS / 3);
    try {
      return await answerAlone(recordOf(claimed), this.rules);
    } finally {
      clearInterval(extending);
    }
  }

  private wait(claimed: Claimed): Promise<void> {
    return this.store.putOff(claimed, Math.min(FIRST_WAIT_MS * 2 ** (claimed.tries ?? 0), LONGEST_WAIT_MS));
  }
}
