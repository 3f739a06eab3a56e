/** An ISO 8601 date-time, its zone optional, or a date alone (protocol-notes, "Times"). */
export const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The moment that it names, without a zone in UTC; undefined: it is none, such as the 31st of February. */
export function parseIso8601(text: string): Date | undefined {
  const parts = ISO_8601.exec(text);
  if (!parts) return undefined;
  const [, date = '', time = '00:00', seconds = '00', fraction = '0', zone] = parts;
  if (!isCalendarDay(date)) return undefined;
  const moment = new Date(`${date}T${time}:${seconds}.${fraction.slice(0, 3)}${offsetOf(zone)}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** The zone in the one spelling that JavaScript reads: `Z` or `+hh:mm`. */
function offsetOf(zone = 'Z'): string {
  if (/^z$/i.test(zone)) return 'Z';
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

const isCalendarDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};
