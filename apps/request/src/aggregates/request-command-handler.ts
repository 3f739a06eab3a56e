import type { RequestEvent } from '@opendsr-service/contracts';
import { isPublishable } from '@opendsr-service/messaging';
import type { Clock, Logger } from '@opendsr-service/service';
import { decide, fold, type IgnoredReason, type RequestInput } from '../domain/decide';
import { messageOf } from '../domain/logged-event';
import { stateOf, type AggregateDocument } from './aggregate.document';
import type { AggregatesStore } from './aggregates.store';
import type { OutboxRelay } from './outbox-relay.worker';
import { VersionConflict } from './version-conflict';

const TRIES = 5;
/** A read right after an election may have missed the request or its start, and a report that is parked does not come again. */
const MAYBE_MISSED: ReadonlySet<unknown> = new Set<IgnoredReason>(['unknown-request', 'not-started']);

/** Why an input gives no event. `too-large`: a record of the log would not hold it. */
type Refusal = IgnoredReason | 'too-large';

interface RequestCommandHandlerParts {
  readonly store: AggregatesStore;
  readonly relay: OutboxRelay;
  readonly clock: Clock;
  /** Milliseconds after which the relay publishes events that are still unpublished. */
  readonly relayAfterMs: number;
  readonly log: Pick<Logger, 'info'>;
}

/** Handles a request's commands and reports: load, decide, write, publish (decision 2). */
export class RequestCommandHandler {
  constructor(private readonly parts: RequestCommandHandlerParts) {}

  /** Resolves once the log holds the events, or with the reason why there are none. */
  async handle(input: RequestInput): Promise<'done' | Refusal> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(input, attempt === 1 ? this.expected(input) : undefined);
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === TRIES) throw error;
      }
    }
  }

  /** What is probably stored, without a read; the write shows whether it is. Undefined: that is not known. */
  private expected({ type, ws, srid }: RequestInput): AggregateDocument | null | undefined {
    return this.parts.store.recall(ws, srid) ?? (type === 'SubmitRequest' ? null : undefined);
  }

  private async attempt(
    input: RequestInput,
    expected: AggregateDocument | null | undefined,
  ): Promise<'done' | Refusal> {
    const { store, relay } = this.parts;
    const likely = expected === undefined ? undefined : decided(expected, input);
    if (expected !== undefined && typeof likely === 'object') return this.write(expected, likely);
    let before = await store.load(input.ws, input.srid);
    let events = decided(before, input);
    if (MAYBE_MISSED.has(events)) {
      before = await store.loadCurrent(input.ws, input.srid);
      events = decided(before, input);
    }
    if (typeof events === 'object') return this.write(before, events);
    // An earlier attempt may have died between writing and publishing.
    if (before) await relay.publish(before);
    return events;
  }

  private async write(before: AggregateDocument | null, events: readonly RequestEvent[]): Promise<'done'> {
    const { store, relay, clock, relayAfterMs, log } = this.parts;
    const now = clock.now();
    const saved = await store.save(before, fold(stateOf(before), events), events, {
      now,
      outboxAt: new Date(now.getTime() + relayAfterMs),
    });
    for (const event of events)
      log.info(
        {
          ws: event.ws,
          srid: event.srid,
          eventType: event.type,
          version: event.version,
          ...('participant' in event && { participant: event.participant }),
        },
        'An event of a request was written',
      );
    await relay.publish(saved);
    return 'done';
  }
}

/** What is written has to be published: an event that the log does not take would hold up all later ones of its request. */
function decided(before: AggregateDocument | null, input: RequestInput): readonly RequestEvent[] | Refusal {
  const events = decide(stateOf(before), input);
  const isTooLarge = typeof events === 'object' && !events.every((event) => isPublishable(messageOf(event)));
  return isTooLarge ? 'too-large' : events;
}
