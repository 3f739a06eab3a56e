/** An ISO 8601 date-time, its zone optional, or a date alone (protocol-notes, "Times"). */
export const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The moment that it names, without a zone in UTC; undefined: it is none, such as the 31st of February. */
export function parseIso8601(text: string): Date | undefined {
  const [, date, time = '00:00', seconds = '00', fraction = '0', zone = 'Z'] = ISO_8601.exec(text) ?? [];
  if (date === undefined || !isCalendarDay(date)) return undefined;
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const moment = new Date(`${date}T${time}:${seconds}.${fraction.slice(0, 3)}${offset}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

const isCalendarDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};
