import { eventDigest, type RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { keyDueAt } from '../admission/key-due';
import type { CommandPublisher } from '../admission/command-publisher.client';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { CommandAnswer } from '../admission/event-run';
import type { RequestDocument } from '../admission/request.document';
import type { ChangeListener } from '../admission/transition-listeners';
import { isEnd, reportsOf } from '../admission/reports';

/**
 * How long the process that applies the end of a request has to attest it and to note that; then any process does, and
 * at once where this one stops. It notes it with the persons, once in SWEEP_POLL_MS.
 */
const OWN_ATTESTATION_MS = 120_000;

/** Attests the requests whose end this process applies. */
interface EndListener {
  add(request: Pick<RequestDocument, 'ws' | 'srid'> & Required<Pick<RequestDocument, 'history'>>): void;
}

interface ProjectionOptions {
  /** How long a published command waits for the event log; milliseconds. */
  readonly publishWaitMs: number;
  readonly keyKeepMs: number;
  /** Hears of each end. */
  readonly ends?: EndListener;
  /** Hears of each event that was applied. */
  readonly changes?: ChangeListener | undefined;
}

/** Applies request events in order of versions: repeats change nothing, gaps are parked (decisions 1 and 3). */
export class AdmissionProjection {
  constructor(
    private readonly store: AdmissionsStore,
    private readonly publisher: CommandPublisher,
    private readonly clock: Clock,
    private readonly options: ProjectionOptions,
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
    const isApplied = await this.write(events);
    const [first] = events;
    if (isApplied && first) this.options.changes?.note(first);
    return isApplied;
  }

  private async write(events: readonly RequestEvent[]): Promise<boolean> {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last || !isOneWrite(events)) return false;
    const { ws, srid, version: v, commandSeq } = last;
    const extensions = events.findLast(namesExtensions)?.extensions;
    const reports = reportsOf(events);
    const run: CommandAnswer = {
      ...{ ws, srid, v, after: first.version - 1, commandSeq },
      ...(extensions && { extensions }),
      ...(reports && { reports }),
    };
    if (last.type === 'RequestFulfilled') {
      const completed = await this.store.complete(run, this.clock.now());
      if (completed) await this.publisher.send(completed, this.options.publishWaitMs);
      return completed !== null;
    }
    return isEnd(last) ? this.applyEnd(run, last) : this.store.acknowledge(run);
  }

  private async applyEnd(run: CommandAnswer, last: RequestEvent): Promise<boolean> {
    const endedAt = new Date(last.at);
    const attestAt = this.options.ends ? new Date(this.clock.now().getTime() + OWN_ATTESTATION_MS) : endedAt;
    const end = { history: eventDigest(last), attestAt };
    const due = keyDueAt(endedAt, this.options.keyKeepMs);
    const isApplied = await this.store.acknowledge({ ...run, end, keyDueAt: due });
    if (isApplied) this.options.ends?.add({ ...run, history: end.history });
    return isApplied;
  }
}

const namesExtensions = (event: RequestEvent): event is Extract<RequestEvent, { extensions?: unknown }> =>
  'extensions' in event && event.extensions !== undefined;

/** Consecutive versions, of which only the last makes a decision or ends the request. */
const isOneWrite = (events: readonly RequestEvent[]): boolean =>
  events.every(
    (event, index) =>
      event.version === (events[0]?.version ?? 0) + index &&
      (index === events.length - 1 || (event.type !== 'RequestFulfilled' && !isEnd(event))),
  );
