/** The three forms of an HTTP date (RFC 9110, 5.6.7). */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const DATE_OF_C = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds of `Retry-After` (RFC 9110, 10.2.3), 0 for a past date; undefined: malformed. */
export function retryAfterMs(header: string, now: Date): number | undefined {
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  const date = dateOf(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function dateOf(text: string): number {
  if (DATES.some((form) => form.test(text))) return Date.parse(text);
  // It has no zone and means UTC.
  return DATE_OF_C.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
