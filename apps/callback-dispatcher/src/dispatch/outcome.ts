import type { CallbackAttempted } from '@opendsr-service/contracts';

/** Why a callback could not be built in a way that trying again soon would not mend. */
export type NotBuilt = 'key-destroyed' | 'version-not-served';

/** Why a callback was not delivered; `breaker-open`: nothing was sent, as its host could not be reached before; `receiver` is an answer other than success. None of these tells where it went. */
export type FailureReason =
  | 'receiver'
  | 'gone'
  | 'address-refused'
  | 'certificate'
  | 'timeout'
  | 'unreachable'
  | 'breaker-open'
  | 'not-built'
  | NotBuilt;

/** How one try ended. */
export type TryOutcome =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly status?: number;
      readonly retryAfter?: string;
      readonly durationMs: number;
    };

/** What an answer that took `durationMs` means (protocol-notes, "A receiver's answer"): a redirect is a failure like any other. */
export function outcomeOf(status: number, retryAfter: string | undefined, durationMs: number): TryOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status, durationMs };
  if (status === 410) return { kind: 'failed', reason: 'gone', status, durationMs };
  return { kind: 'failed', reason: 'receiver', status, ...(retryAfter !== undefined && { retryAfter }), durationMs };
}

/** What controllers may know of a try, as `CallbackAttempted` says it. */
export type ShownOutcome = Pick<CallbackAttempted, 'outcome' | 'httpStatus' | 'durationMs'>;

const SHOWN: Readonly<Record<FailureReason, ShownOutcome['outcome']>> = {
  receiver: 'rejected',
  gone: 'gone',
  'address-refused': 'unreachable',
  certificate: 'unreachable',
  timeout: 'unreachable',
  unreachable: 'unreachable',
  'breaker-open': 'postponed',
  'not-built': 'postponed',
  'key-destroyed': 'postponed',
  'version-not-served': 'postponed',
};

/**
 * What a controller is told of an outcome. All that is no answer over verified TLS is told alike, without status and duration: whoever may
 * name URLs must not learn from callbacks which addresses, ports and names there are. The time told for such a try must be the one at which
 * it began, for the same reason.
 */
export function shownOutcome(outcome: TryOutcome): ShownOutcome {
  const told = outcome.kind === 'delivered' ? 'delivered' : SHOWN[outcome.reason];
  if (told === 'unreachable' || told === 'postponed') return { outcome: told };
  return {
    outcome: told,
    ...(outcome.status !== undefined && { httpStatus: outcome.status }),
    durationMs: outcome.durationMs,
  };
}
