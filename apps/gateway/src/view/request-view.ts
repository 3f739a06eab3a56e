import type { RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { keyDueAt } from '../admission/key-due';
import type { Outbox } from '../admission/outbox.client';
import type { CommandAnswer, AdmissionsStore } from '../admission/admissions.store';

export interface ViewTimes {
  /** How long a published command waits for the log; milliseconds. */
  readonly publishWaitMs: number;
  readonly keyKeepMs: number;
}

/** Applies request events in order of versions: repeats change nothing, gaps are parked (decisions 1 and 3). */
export class RequestView {
  constructor(
    private readonly store: AdmissionsStore,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly times: ViewTimes,
  ) {}

  async apply(event: RequestEvent): Promise<Verdict> {
    const { ws, srid, version: v } = event;
    if (event.type === 'RequestFulfilled') {
      const completed = await this.store.complete({ ws, srid, v }, this.clock.now());
      if (completed) {
        await this.outbox.send(completed, this.times.publishWaitMs);
        return 'done';
      }
    } else if (await this.store.acknowledge(this.answerOf(event))) return 'done';
    const known = await this.store.versionOf(ws, srid);
    if (known === undefined) return { park: 'unknown-request' };
    return known >= v ? 'skip' : { park: 'version-gap' };
  }

  private answerOf(event: RequestEvent): CommandAnswer {
    const { ws, srid, version: v, commandSeq } = event;
    const isLast = event.type === 'RequestCompleted' || event.type === 'RequestCancelled';
    return {
      ...{ ws, srid, v, commandSeq },
      ...('extensions' in event && event.extensions && { extensions: event.extensions }),
      ...(isLast && { keyDueAt: keyDueAt(new Date(event.at), this.times.keyKeepMs) }),
    };
  }
}
