import type { Clock } from '@opendsr-service/runtime';
import type { Outbox } from '../requests/outbox.client';
import type { RequestsStore } from '../requests/requests.store';
import { gapAfterMs, type RelayGaps } from './backoff';

const PAGE = 200;

/** Sends commands again that no event has answered: after a crash, a lost command, or while the log was away (D1). */
export class RelayWorker {
  constructor(
    private readonly store: RequestsStore,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly gaps: RelayGaps & { readonly deadlineMs: number },
  ) {}

  /** One page, the oldest first; answers how many were sent. While the log is away nothing is put off. */
  async runOnce(): Promise<number> {
    if (!this.outbox.available) return 0;
    const now = this.clock.now();
    const unanswered = await this.store.findUnanswered(now, PAGE);
    const sent = await Promise.all(
      unanswered.map(async (request) => {
        const until = new Date(now.getTime() + gapAfterMs(request.tries ?? 0, this.gaps));
        return (await this.store.putOff(request, until)) && this.outbox.send(request, this.gaps.deadlineMs);
      }),
    );
    return sent.filter(Boolean).length;
  }
}
