/** Why a callback could not be built in a way that trying again soon would not mend. */
export type NotBuilt = 'key-destroyed' | 'version-not-served';

/** Why a callback was not delivered; `receiver` is an answer other than success. None of these tells where it went. */
export type FailureReason = 'receiver' | 'gone' | 'address-refused' | 'certificate' | 'timeout' | 'unreachable' | 'not-built' | NotBuilt;

/** How one try ended. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status?: number; readonly retryAfter?: string };

/** What an answer means (protocol-notes, "A receiver's answer"): a redirect is a failure like any other. */
export function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'failed', reason: 'gone', status };
  return { kind: 'failed', reason: 'receiver', status, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The time that `Retry-After` asks to wait: seconds, or a date (RFC 9110, 10.2.3). Undefined where it says neither. */
export function retryAfterMs(text: string, now: Date): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
