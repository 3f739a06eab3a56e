import type { Verdict } from '../records';
import { toLogRecord } from './parked-record';
import { ErrorSummary } from '../error-summary';
import { LEASE_MS, type ClaimedRecord, type RedriveStore } from './redrive.store';
import { handleSingle, type BatchHandling } from './settle-batch';

const PAGE = 16;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Handles marked parked records again (decision 6), with the group's own handlers and in the order of their keys. It
 * runs in every replica; a claim lets one of them handle a record at a time.
 */
export class RedriveWorker {
  constructor(
    private readonly rules: Omit<BatchHandling, 'parking'>,
    private readonly store: RedriveStore,
  ) {}

  /** Handles one page of marked records; returns their number. Rejects during an outage; its claims then expire. */
  async runOnce(): Promise<number> {
    const claimed = await this.store.claimDue(this.rules.group, PAGE);
    const ends = await Promise.allSettled(claimed.map((one) => this.redrive(one)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return claimed.length;
  }

  private async redrive(claimed: ClaimedRecord): Promise<void> {
    if (claimed.done) return this.store.complete(claimed);
    if (await this.store.queue.findBlocker(claimed)) return this.reschedule(claimed);
    const { group, logger } = this.rules;
    const { topic, partition, offset } = claimed;
    try {
      const verdict = await this.verdictOn(claimed);
      if (typeof verdict === 'string') {
        await this.store.complete(claimed);
        logger.info({ group, topic, partition, offset }, 'parked record redriven');
        return;
      }
      await this.store.parkAgain(claimed, verdict.park, verdict.aside);
      logger.warn({ group, topic, partition, offset, reason: verdict.park }, 'record parked again');
    } catch (error) {
      logger.warn({ group, topic, partition, offset, error: new ErrorSummary(error) }, 'redrive has to wait');
      await this.reschedule(claimed);
    }
  }

  /** Throws during an outage: the outcome is then unknown. */
  private async verdictOn(claimed: ClaimedRecord): Promise<Verdict> {
    // After an expired claim another worker repeats the record: handlers are idempotent.
    const extending = setInterval(() => void this.store.extendClaim(claimed).catch(() => undefined), LEASE_MS / 3);
    try {
      return await handleSingle(toLogRecord(claimed), this.rules);
    } finally {
      clearInterval(extending);
    }
  }

  private reschedule(claimed: ClaimedRecord): Promise<void> {
    return this.store.reschedule(claimed, Math.min(FIRST_WAIT_MS * 2 ** (claimed.attempts ?? 0), LONGEST_WAIT_MS));
  }
}
