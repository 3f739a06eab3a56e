import type { CallbackAttempted } from '@opendsr-service/contracts';

export type NotBuilt = 'key-destroyed' | 'version-not-served';

/** `breaker-open`: nothing was sent. `receiver`: an answer other than success. No reason reveals the address. */
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

export type TryOutcome =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      readonly status?: number;
      readonly retryAfter?: string;
      readonly durationMs: number;
    };

/** Interprets an answer (protocol, "A receiver's answer"); a redirect is a failure. */
export function outcomeOf(status: number, retryAfter: string | undefined, durationMs: number): TryOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status, durationMs };
  if (status === 410) return { kind: 'failed', reason: 'gone', status, durationMs };
  return { kind: 'failed', reason: 'receiver', status, ...(retryAfter !== undefined && { retryAfter }), durationMs };
}

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
 * Hides everything but an answer over verified TLS: URLs must not serve to probe addresses, ports and names. For the
 * same reason the published time must be the start of the attempt.
 */
export function shownOutcome(outcome: TryOutcome): ShownOutcome {
  const shown = outcome.kind === 'delivered' ? 'delivered' : SHOWN[outcome.reason];
  if (shown === 'unreachable' || shown === 'postponed') return { outcome: shown };
  return {
    outcome: shown,
    ...(outcome.status !== undefined && { httpStatus: outcome.status }),
    durationMs: outcome.durationMs,
  };
}
