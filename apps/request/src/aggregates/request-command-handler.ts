import type { Clock, Logger } from '@opendsr-service/service';
import { decide, fold, type IgnoredReason, type RequestInput } from '../domain/decide';
import { initialState } from '../domain/state';
import { stateOf } from './aggregate.document';
import type { AggregatesStore } from './aggregates.store';
import type { OutboxRelay } from './outbox-relay.worker';
import { VersionConflict } from './version-conflict';

const TRIES = 5;

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
  async handle(input: RequestInput): Promise<'done' | IgnoredReason> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(input);
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === TRIES) throw error;
      }
    }
  }

  private async attempt(input: RequestInput): Promise<'done' | IgnoredReason> {
    const { store, relay, clock, relayAfterMs, log } = this.parts;
    const before = await store.load(input.ws, input.srid);
    const state = before ? stateOf(before) : initialState;
    const events = decide(state, input);
    if (typeof events === 'string') {
      // An earlier attempt may have died between writing and publishing.
      if (before) await relay.publish(before);
      return events;
    }
    const now = clock.now();
    const saved = await store.save(before, fold(state, events), events, {
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
