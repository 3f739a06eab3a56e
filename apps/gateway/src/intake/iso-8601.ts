/**
 * An ISO 8601 date-time in its extended or its basic form, its zone optional, or a date alone (protocol-notes, "Times").
 * Week dates and ordinal dates are none.
 */
export const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$|^(\d{4})(\d{2})(\d{2})[Tt](\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,30}))?)?([Zz]|[+-]\d{2}(?:\d{2})?)?$/;

/** Year, month, day, hours, minutes, seconds, fraction, zone. */
const PARTS = 8;
const SECOND_MS = 1_000;

/**
 * The moment that it names, without a zone in UTC, to the millisecond; undefined: it is none, such as the 31st of February, or one
 * whose year in UTC has not four digits. A leap second is the first second of the next day: our clock knows none.
 */
export function parseIso8601(text: string): Date | undefined {
  const found = ISO_8601.exec(text)?.slice(1);
  if (!found) return undefined;
  const [extended, basic] = [found.slice(0, PARTS), found.slice(PARTS)];
  return momentOf(extended[0] === undefined ? basic : extended);
}

function momentOf([year, month, day, hours = '00', minutes = '00', seconds = '00', fraction = '0', zone = 'Z']: readonly (string | undefined)[]): Date | undefined {
  const date = `${year}-${month}-${day}`;
  if (!isCalendarDay(date)) return undefined;
  const momentAt = (second: string): Date => new Date(`${date}T${hours}:${minutes}:${second}.${fraction.slice(0, 3)}${offsetOf(zone)}`);
  return asRfc3339(seconds === '60' ? afterLeapSecond(momentAt('59')) : momentAt(seconds));
}

/** The zone in the one spelling that JavaScript reads: `Z` or `+hh:mm`. */
function offsetOf(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/** Leap seconds are put in at the end of a day in UTC, and nowhere else. */
function afterLeapSecond(before: Date): Date | undefined {
  const isLast = !Number.isNaN(before.getTime()) && before.toISOString().includes('T23:59:59.');
  return isLast ? new Date(before.getTime() + SECOND_MS) : undefined;
}

/** Only years of four digits can be written into our messages and answers. */
const asRfc3339 = (moment: Date | undefined): Date | undefined => (moment && !Number.isNaN(moment.getTime()) && /^\d{4}-/.test(moment.toISOString()) ? moment : undefined);

const isCalendarDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};
