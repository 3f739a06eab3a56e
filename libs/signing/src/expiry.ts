const DAY_MS = 24 * 3600 * 1000;
const NOTICE_DAYS = [3, 14, 30] as const;

/** Days before the end of the certificate; 0: expired. */
type ExpiryNotice = 0 | (typeof NOTICE_DAYS)[number];

/** The due notice; undefined: the end is farther away. */
export function expiryNotice(notAfter: Date, now: Date): ExpiryNotice | undefined {
  const leftMs = notAfter.getTime() - now.getTime();
  if (leftMs < 0) return 0;
  return NOTICE_DAYS.find((days) => leftMs <= days * DAY_MS);
}

/** Gives each notice once for each certificate. Missed notices are not given later. */
export class ExpiryNotices {
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
