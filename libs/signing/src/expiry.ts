const DAY_MS = 24 * 3600 * 1000;
/** Nearest first. */
const NOTICE_DAYS = [3, 14, 30] as const;

/** How many days before the end of a certificate something is said of it; 0: it has ended. */
export type ExpiryNotice = 0 | (typeof NOTICE_DAYS)[number];

/** The notice that a certificate has come to; undefined while its end is farther than all of them. */
export function expiryNotice(notAfter: Date, now: Date): ExpiryNotice | undefined {
  const leftMs = notAfter.getTime() - now.getTime();
  if (leftMs < 0) return 0;
  return NOTICE_DAYS.find((days) => leftMs <= days * DAY_MS);
}

/** Gives each notice once for each certificate. What was passed over while nobody looked is not given later. */
export class ExpiryNotices {
  // One entry for each certificate that was in force in this process: a handful in its whole life.
  private readonly given = new Map<string, ExpiryNotice>();

  due(
    { fingerprint, notAfter }: { readonly fingerprint: string; readonly notAfter: Date },
    now: Date,
  ): ExpiryNotice | undefined {
    const notice = expiryNotice(notAfter, now);
    if (notice === undefined || notice >= (this.given.get(fingerprint) ?? Infinity)) return undefined;
    this.given.set(fingerprint, notice);
    return notice;
  }
}
