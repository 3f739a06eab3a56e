import type { RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import type { Outbox } from '../requests/outbox.client';
import type { RequestsStore } from '../requests/requests.store';

/** Applies request events to admissions: version n on n-1, repeats without effect, a gap parked (D1, D3). */
export class RequestView {
  constructor(
    private readonly store: RequestsStore,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly publishWaitMs: number,
  ) {}

  async apply(event: RequestEvent): Promise<Verdict> {
    const { ws, srid, version: v, commandSeq } = event;
    if (event.type === 'RequestFulfilled') {
      const completed = await this.store.complete({ ws, srid, v }, this.clock.now());
      if (completed) {
        await this.outbox.send(completed, this.publishWaitMs);
        return 'done';
      }
    } else if (await this.store.acknowledge({ ws, srid, v, commandSeq })) return 'done';
    const known = await this.store.versionOf(ws, srid);
    if (known === undefined) return { park: 'unknown-request' };
    return known >= v ? 'skip' : { park: 'version-gap' };
  }
}
