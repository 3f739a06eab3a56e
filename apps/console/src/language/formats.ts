import type { Language } from './languages';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** How times and numbers are written. Times come as RFC 3339. */
export interface Formats {
  /** In the zone of the viewer. */
  readonly time: (iso: string) => string;
  /** A day in UTC, `yyyy-mm-dd`: with its year, and as short as it goes. */
  readonly utcDay: (day: string) => string;
  readonly utcDayOfMonth: (day: string) => string;
  /** `in 3 days`, `2 hours ago`. */
  readonly distance: (iso: string, now: Date) => string;
  readonly count: (n: number) => string;
  readonly milliseconds: (ms: number) => string;
  /** `3 days`, `2 hours`, `40 seconds`: in the largest unit. */
  readonly duration: (seconds: number) => string;
}

/** For titles: the same instant in UTC, to the second. */
export const utcOf = (iso: string): string => `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `zone`: that of the viewer by default. */
export function formatsOf(language: Language, zone?: string): Formats {
  const locale = language === 'en' ? 'en-GB' : 'de-DE';
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone });
  const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const utcDayOfMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  // "Yesterday" is a day of the calendar, and 40 hours ago may be the day before.
  const relativeDays = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const number = new Intl.NumberFormat(locale);
  return {
    time: (iso) => time.format(new Date(iso)),
    utcDay: (day) => utcDay.format(new Date(day)),
    utcDayOfMonth: (day) => utcDayOfMonth.format(new Date(day)),
    distance: (iso, now) => {
      const ms = new Date(iso).getTime() - now.getTime();
      const [unit, size] = unitOf(Math.abs(ms));
      return (unit === 'day' ? relativeDays : relative).format(Math.trunc(ms / size), unit);
    },
    count: (n) => number.format(n),
    milliseconds: (ms) => `${number.format(ms)} ms`,
    duration: (seconds) => {
      const ms = seconds * SECOND_MS;
      const [unit, size] = ms < MINUTE_MS ? (['second', SECOND_MS] as const) : unitOf(ms);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.trunc(ms / size));
    },
  };
}

function unitOf(ms: number): ['day' | 'hour' | 'minute', number] {
  if (ms >= DAY_MS) return ['day', DAY_MS];
  return ms >= HOUR_MS ? ['hour', HOUR_MS] : ['minute', MINUTE_MS];
}
