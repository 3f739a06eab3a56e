import type { Regulation } from '../vocabulary';

/** Whether the clock starts when the data subject asked, or when the service received the request. */
export const CLOCK_STARTS = ['submitted', 'received'] as const;
type ClockStart = (typeof CLOCK_STARTS)[number];

/** How a workspace counts legal periods. */
export interface LegalCalendar {
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
  /** Public holidays as `yyyy-mm-dd`. */
  readonly holidays: readonly string[];
  /** The workspace's own periods in calendar days, each shorter than that of the regulation. */
  readonly shorterDays: Readonly<Partial<Record<Regulation, number>>>;
  readonly clockStart: ClockStart;
}

/** The calendar of a workspace that has not set one: UTC, no holidays, the periods of the law. */
export const DEFAULT_LEGAL_CALENDAR: LegalCalendar = {
  timeZone: 'UTC',
  holidays: [],
  shorterDays: {},
  clockStart: 'submitted',
};

/** The most public holidays of a workspace. */
export const MAX_HOLIDAYS = 1_000;

/** The longest shorter period in days: less than the regulation gives in any month. */
export const MAX_SHORTER_DAYS: Readonly<Record<Regulation, number>> = { gdpr: 27, ccpa: 44 };

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether text names a time zone: `Europe/Berlin`, not an offset, which knows no daylight saving. */
export function isTimeZone(text: string): boolean {
  if (!ZONE_NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Whether text is a day of the calendar, as `yyyy-mm-dd`. */
export function isCalendarDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const isShorter = (regulation: Regulation, days: number): boolean =>
  Number.isInteger(days) && days >= 1 && days <= MAX_SHORTER_DAYS[regulation];

/** Why a calendar cannot be used. Undefined: it can. */
export function calendarFault({ timeZone, holidays, shorterDays }: LegalCalendar): string | undefined {
  if (!isTimeZone(timeZone)) return 'the time zone is not a name such as Europe/Berlin';
  if (holidays.length > MAX_HOLIDAYS) return `there are more than ${MAX_HOLIDAYS} holidays`;
  if (!holidays.every(isCalendarDay)) return 'a holiday is not a day such as 2026-12-25';
  const longer = (Object.keys(MAX_SHORTER_DAYS) as Regulation[]).find((regulation) => {
    const days = shorterDays[regulation];
    return days !== undefined && !isShorter(regulation, days);
  });
  return longer && `a shorter period for ${longer} has 1 to ${MAX_SHORTER_DAYS[longer]} days`;
}
