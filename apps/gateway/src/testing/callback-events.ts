import {
  messageId,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
} from '@opendsr-service/contracts';

type Of = Pick<CallbackQueued, 'ws' | 'srid' | 'destination'> & Partial<Pick<CallbackQueued, 'version' | 'status'>>;

const BASE = Date.parse('2026-11-21T09:00:00.000Z');
/** The time so many seconds after the first. */
export const second = (n: number): Date => new Date(BASE + n * 1_000);
const time = (n: number): string => second(n).toISOString();

/** What the callback-dispatcher says of one callback, made by hand; times in seconds. */
export function callbackEvents({ ws, srid, destination, version = 1, status = 'pending' }: Of) {
  const delivery = messageId(ws, srid, destination, version);
  const of = (at: number) => ({
    id: messageId(delivery, at),
    ws,
    srid,
    at: time(at),
    destination,
    delivery,
    version,
    status,
  });
  return {
    delivery,
    queued: (at: number, dueAt: number, replay = false): CallbackQueued => ({
      type: 'CallbackQueued',
      ...of(at),
      dueAt: time(dueAt),
      replay,
    }),
    attempted: (
      attempt: number,
      at: number,
      outcome: CallbackAttempted['outcome'],
      more: Partial<CallbackAttempted> = {},
    ): CallbackAttempted => ({
      type: 'CallbackAttempted',
      ...of(at),
      attempt,
      outcome,
      ...more,
    }),
    givenUp: (at: number, reason: CallbackGivenUp['reason']): CallbackGivenUp => ({
      type: 'CallbackGivenUp',
      ...of(at),
      reason,
    }),
    nextAt: time,
  };
}
