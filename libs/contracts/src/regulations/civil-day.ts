const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SATURDAY = 6;
const SUNDAY = 0;
const MAX_KEPT = 1_000;

/** A day of a calendar, as the milliseconds of its midnight in UTC. */
export type CivilDay = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** By their minute: under load many requests come in the same one. */
const offsets = new Map<string, number>();

/** The last milliseconds of days: many requests have the same last day. */
const ends = new Map<string, number>();

function kept<V>(made: Map<string, V>, name: string, make: () => V): V {
  const known = made.get(name);
  if (known !== undefined) return known;
  if (made.size >= MAX_KEPT) made.clear();
  const value = make();
  made.set(name, value);
  return value;
}

const offsetFormat = (timeZone: string): Intl.DateTimeFormat =>
  kept(formats, timeZone, () => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }));

/** Clocks change at a whole minute, but for the years before zones had whole minutes. */
function offsetMsAt(instantMs: number, timeZone: string): number {
  const minute = Math.floor(instantMs / MINUTE_MS) * MINUTE_MS;
  return kept(offsets, `${minute} ${timeZone}`, () => readOffsetMs(minute, timeZone));
}

/** `GMT`, `GMT+05:30` or, before zones had whole minutes, `GMT-00:01:15`. */
function readOffsetMs(instantMs: number, timeZone: string): number {
  const shown = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(offsetFormat(timeZone).format(instantMs));
  const [, sign, hours = 0, minutes = 0, seconds = 0] = shown ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -offsetMs : offsetMs;
}

const midnightOf = (ms: number): CivilDay => Math.floor(ms / DAY_MS) * DAY_MS;

/** The day that it is in a time zone. */
export const dayAt = (instantMs: number, timeZone: string): CivilDay =>
  midnightOf(instantMs + offsetMsAt(instantMs, timeZone));

/**
 * The last millisecond of a day in a time zone. Clocks may change at midnight: then the next day begins with the change, or the
 * last hour passes twice and counts twice.
 */
export const lastInstantOf = (day: CivilDay, timeZone: string): Date =>
  new Date(kept(ends, `${day} ${timeZone}`, () => lastMsOf(day, timeZone)));

function lastMsOf(day: CivilDay, timeZone: string): number {
  const next = day + DAY_MS;
  const begins = [next - DAY_MS, next + DAY_MS]
    .map((near) => next - offsetMsAt(near, timeZone))
    .sort((a, b) => a - b)
    .find((candidate) => dayAt(candidate, timeZone) >= next);
  return (begins ?? next) - 1;
}

export const addDays = (day: CivilDay, count: number): CivilDay => day + count * DAY_MS;

/** The same day of a later month, or its last one. */
export function addMonths(day: CivilDay, count: number): CivilDay {
  const date = new Date(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count + 1, 0);
  date.setUTCDate(Math.min(wanted, date.getUTCDate()));
  return date.getTime();
}

/** `holidays`: days as `yyyy-mm-dd`. */
export function isWorkingDay(day: CivilDay, holidays: readonly string[]): boolean {
  const date = new Date(day);
  const weekday = date.getUTCDay();
  return weekday !== SATURDAY && weekday !== SUNDAY && !holidays.includes(date.toISOString().replace(/T.*$/, ''));
}
