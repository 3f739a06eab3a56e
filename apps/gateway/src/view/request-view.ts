import type { RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { keyDueAt } from '../admission/key-due';
import type { Outbox } from '../admission/outbox.client';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { CommandAnswer } from '../admission/event-run';

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
    if (await this.applyRun([event])) return 'done';
    const { ws, srid, version: v } = event;
    const known = await this.store.versionOf(ws, srid);
    if (known === undefined) return { park: 'unknown-request' };
    return known >= v ? 'skip' : { park: 'version-gap' };
  }

  /** Applies events of one request by one write. False: they are not the next versions, or need several writes. */
  async applyRun(events: readonly RequestEvent[]): Promise<boolean> {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last || !isOneWrite(events)) return false;
    const { ws, srid, version: v, commandSeq } = last;
    const extensions = events.findLast(namesExtensions)?.extensions;
    const run: CommandAnswer = { ws, srid, v, after: first.version - 1, commandSeq, ...(extensions && { extensions }) };
    if (last.type === 'RequestFulfilled') {
      const completed = await this.store.complete(run, this.clock.now());
      if (completed) await this.outbox.send(completed, this.times.publishWaitMs);
      return completed !== null;
    }
    return this.store.acknowledge({
      ...run,
      ...(isEnd(last) && { keyDueAt: keyDueAt(new Date(last.at), this.times.keyKeepMs) }),
    });
  }
}

const isEnd = ({ type }: RequestEvent): boolean => type === 'RequestCompleted' || type === 'RequestCancelled';
const namesExtensions = (event: RequestEvent): event is Extract<RequestEvent, { extensions?: unknown }> =>
  'extensions' in event && event.extensions !== undefined;

/** Consecutive versions, of which only the last makes a decision or ends the request. */
const isOneWrite = (events: readonly RequestEvent[]): boolean =>
  events.every(
    (event, index) =>
      event.version === (events[0]?.version ?? 0) + index &&
      (index === events.length - 1 || (event.type !== 'RequestFulfilled' && !isEnd(event))),
  );
