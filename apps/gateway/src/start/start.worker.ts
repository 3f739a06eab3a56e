import type { Clock } from '@opendsr-service/runtime';
import type { Outbox } from '../requests/outbox.client';
import type { RequestsStore } from '../requests/requests.store';

const PAGE = 200;

/** Starts the requests whose waiting time is over. The write that starts one is also the claim, so every gateway may try (D7). */
export class StartWorker {
  constructor(
    private readonly store: RequestsStore,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly publishWaitMs: number,
  ) {}

  /** One page; answers how many were due. */
  async runOnce(): Promise<number> {
    const now = this.clock.now();
    const due = await this.store.findDue(now, PAGE);
    await Promise.all(
      due.map(async (request) => {
        const started = await this.store.start(request, now);
        if (started) await this.outbox.send(started, this.publishWaitMs);
      }),
    );
    return due.length;
  }
}
