const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
const THURSDAY = 4;

/** The day `yyyy-mm-dd` of a basic ISO 8601 date: `yyyymmdd`, `yyyyddd` or `yyyyWwwd`. Undefined: no such day. */
export function calendarDay(date: string): string | undefined {
  const [year, rest] = [date.slice(0, 4), date.slice(4)];
  if (rest.startsWith('W')) return ofWeek(year, Number(rest.slice(1, 3)), Number(rest.slice(3)));
  return rest.length === 3 ? ofYear(year, Number(rest)) : ofMonth(`${year}-${rest.slice(0, 2)}-${rest.slice(2)}`);
}

function ofMonth(day: string): string | undefined {
  const at = midnight(day);
  return !Number.isNaN(at) && dayOf(at) === day ? day : undefined;
}

function ofYear(year: string, number: number): string | undefined {
  const day = dayOf(midnight(`${year}-01-01`) + (number - 1) * DAY_MS);
  return isOf(year, day) ? day : undefined;
}

/** Week 1 holds the 4th of January; a week belongs to the year of its Thursday. */
function ofWeek(year: string, week: number, weekday: number): string | undefined {
  const fourth = midnight(`${year}-01-04`);
  const days = (week - 1) * DAYS_OF_WEEK + THURSDAY - weekdayOf(fourth);
  const thursday = fourth + days * DAY_MS;
  const isDay = isOf(year, dayOf(thursday)) && weekday >= 1 && weekday <= DAYS_OF_WEEK;
  return isDay ? dayOf(thursday + (weekday - THURSDAY) * DAY_MS) : undefined;
}

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (at: number): string => new Date(at).toISOString().replace(/T.*$/, '');
const isOf = (year: string, day: string): boolean => day.startsWith(`${year}-`);
/** Monday is 1. */
const weekdayOf = (at: number): number => new Date(at).getUTCDay() || DAYS_OF_WEEK;
