import type { Clock } from '@opendsr-service/service';
import type { CommandPublisher } from '../admission/command-publisher.client';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { AnsweredCommands } from './answered-commands.client';
import { resendGapMs, type RelayGaps } from './resend-gap';

const PAGE = 200;
/** A possibly lost command does not wait longer for earlier ones. */
const LOST_AFTER_MS = 120_000;

/**
 * Resends unanswered commands (decision 1): each once the consumer lag shows that all earlier commands were answered, at the latest
 * two minutes after its first publication, or the longest gap after it was resent.
 */
export class RelayWorker {
  constructor(
    private readonly store: AdmissionsStore,
    private readonly publisher: CommandPublisher,
    private readonly answered: Pick<AnsweredCommands, 'answeredUntil'>,
    private readonly times: { readonly clock: Clock; readonly gaps: RelayGaps; readonly deadlineMs: number },
  ) {}

  /** One page; resolves with the number sent. Reschedules nothing while the event log is unavailable. */
  async runOnce(): Promise<number> {
    if (!this.publisher.available) return 0;
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
        return (await this.store.reschedule(request, until)) && this.publisher.send(request, deadlineMs);
      }),
    );
    return sent.filter(Boolean).length;
  }
}
