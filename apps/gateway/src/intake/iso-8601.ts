import { calendarDay } from './calendar-day';

/** `zero` is the prefix of a one-digit month or day. */
function monthAndDay(hyphen: string, zero: string): string {
  const days = `${zero}[1-9]|[12]\\d`;
  return [
    `(?:${zero}[13578]|1[02])${hyphen}(?:${days}|3[01])`,
    `(?:${zero}[469]|11)${hyphen}(?:${days}|30)`,
    `${zero}2${hyphen}(?:${days})`,
  ].join('|');
}
const DAY_OF_YEAR = '00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6]';
const WEEK = 'W(?:0[1-9]|[1-4]\\d|5[0-3])';

const timeAndZone = (colon: string): string =>
  `((?:[01]\\d|2[0-4])(?:${colon}[0-5]\\d(?:${colon}(?:[0-5]\\d|60)(?:[.,]\\d{1,30})?)?)?)([Zz]|[+-](?:[01]\\d|2[0-3])(?:${colon && ':?'}[0-5]\\d)?)?`;

/**
 * An ISO 8601 date or date-time, extended or basic, by calendar, ordinal or week date, zone optional (protocol,
 * "Times"). Only seconds have fractions. Extended months and days may lack their zero.
 */
export const ISO_8601 = new RegExp(
  `^(\\d{4}-(?:${monthAndDay('-', '0?')}|${DAY_OF_YEAR}|${WEEK}-[1-7]))(?:[Tt ]${timeAndZone(':')})?$|^(\\d{4}(?:${monthAndDay('', '0')}|${DAY_OF_YEAR}|${WEEK}[1-7]))(?:[Tt]${timeAndZone('')})?$`,
);

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;
const SECONDS_END = '2026-01-01T00:00:00'.length;

const PARTS = 3;
const SECOND_MS = 1_000;

/**
 * Without a zone in UTC. Undefined: no such moment, or its year in UTC has not four digits. A leap second becomes the
 * next second.
 */
export const parseIso8601 = (text: string): Date | undefined => ofRfc3339(text) ?? ofAnyForm(text);

/** What nearly all callers send. Undefined where it takes more than JavaScript's own reading. */
function ofRfc3339(text: string): Date | undefined {
  const moment = RFC_3339_UTC.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return undefined;
  // JavaScript also reads 24:00, and days that a month has not.
  return moment.toISOString().startsWith(text.slice(0, SECONDS_END)) ? moment : undefined;
}

function ofAnyForm(text: string): Date | undefined {
  const found = ISO_8601.exec(text)?.slice(1);
  if (!found) return undefined;
  const [extended, basic] = [found.slice(0, PARTS), found.slice(PARTS)];
  return momentOf(extended[0] === undefined ? basic : extended);
}

function momentOf([date = '', time = '', zone = 'Z']: readonly (string | undefined)[]): Date | undefined {
  const day = calendarDay(padded(date).replaceAll('-', ''));
  if (day === undefined) return undefined;
  const digits = time.replaceAll(':', '');
  const [hours, minutes, seconds] = [0, 2, 4].map((at) => digits.slice(at, at + 2) || '00');
  const fraction = digits.slice(7, 10) || '0';
  const momentAt = (second = ''): Date => new Date(`${day}T${hours}:${minutes}:${second}.${fraction}${offsetOf(zone)}`);
  return asRfc3339(seconds === '60' ? afterLeapSecond(momentAt('59')) : momentAt(seconds));
}

const padded = (date: string): string =>
  date.replace(
    /^(\d{4})-(\d{1,2})-(\d{1,2})$/,
    (_all, year: string, month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

/** `Z` or `+hh:mm`, which JavaScript parses. */
function offsetOf(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** Leap seconds only occur at the end of a UTC day. */
function afterLeapSecond(before: Date): Date | undefined {
  const isLast = !Number.isNaN(before.getTime()) && before.toISOString().includes('T23:59:59.');
  return isLast ? new Date(before.getTime() + SECOND_MS) : undefined;
}

/** Messages and answers need years of four digits. */
const asRfc3339 = (moment: Date | undefined): Date | undefined =>
  moment && !Number.isNaN(moment.getTime()) && /^\d{4}-/.test(moment.toISOString()) ? moment : undefined;
