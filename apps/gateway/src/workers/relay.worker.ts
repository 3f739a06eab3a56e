import type { Clock } from '@opendsr-service/service';
import type { Outbox } from '../admission/outbox.client';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { AnsweredCommands } from './answered-commands.client';
import { resendGapMs, type RelayGaps } from './resend-gap';

const PAGE = 200;
/** A command that may never have reached the log waits no longer for those before it, which may be stuck. */
const LOST_AFTER_MS = 120_000;

/**
 * Sends commands again that no event has answered: after a crash, a lost command, or while the log was away (D1). What is due waits until the log
 * shows that all it held by then was answered, for to repeat what still waits for its turn makes a slow service slower. What was never sent again waits two minutes for that at most, what was waits the longest gap.
 */
export class RelayWorker {
  constructor(
    private readonly store: AdmissionsStore,
    private readonly outbox: Outbox,
    private readonly answered: Pick<AnsweredCommands, 'answeredUntil'>,
    private readonly times: { readonly clock: Clock; readonly gaps: RelayGaps; readonly deadlineMs: number },
  ) {}

  /** One page, the oldest first; answers how many were sent. While the log is away nothing is put off. */
  async runOnce(): Promise<number> {
    if (!this.outbox.available) return 0;
    const { clock, gaps, deadlineMs } = this.times;
    const now = clock.now();
    if ((await this.store.findUnanswered({ by: now, unrepeatedBy: now }, 1)).length === 0) return 0;
    const answeredAt = await this.answered.answeredUntil(now);
    const by = new Date(Math.max(answeredAt.getTime(), now.getTime() - gaps.longestGapMs));
    const unrepeatedBy = new Date(Math.max(by.getTime(), now.getTime() - LOST_AFTER_MS));
    const unanswered = await this.store.findUnanswered({ by, unrepeatedBy }, PAGE);
    const sent = await Promise.all(
      unanswered.map(async (request) => {
        const until = new Date(now.getTime() + resendGapMs(request.tries ?? 0, gaps));
        return (await this.store.reschedule(request, until)) && this.outbox.send(request, deadlineMs);
      }),
    );
    return sent.filter(Boolean).length;
  }
}
