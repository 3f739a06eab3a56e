const AGAIN_MS = 5_000;
/** An attestation that comes later than that, after an outage for example, is shown when the page is read again. */
const AWAITED_MS = 10 * 60_000;

/** When the page asks again for the attestation of a request that has just ended; false: it does not. */
export const askAgainMs = (bundle: object | null | undefined, ended: string | null, now: Date): number | false =>
  bundle === null && ended !== null && now.getTime() - Date.parse(ended) < AWAITED_MS && AGAIN_MS;
