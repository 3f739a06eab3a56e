const pad = (n: number, digits: number): string => String(n).padStart(digits, '0');

/** The day of an instant in the zone of the viewer, as a date field has it; empty for what is no instant. */
export function dayOf(instant: string | undefined): string {
  const at = new Date(instant ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1, 2)}-${pad(at.getDate(), 2)}`;
}

function midnight(day: string, daysLater: number): Date | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const at = new Date(2000, 0, 1);
  // The constructor takes the years 0 to 99 for those of the last century.
  at.setFullYear(year, month - 1, date + daysLater);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The first instant of a day in the zone of the viewer, RFC 3339 in UTC. Undefined without a day. */
export const startOf = (day: string): string | undefined => midnight(day, 0)?.toISOString();

/** The last one. */
export function endOf(day: string): string | undefined {
  const next = midnight(day, 1);
  return next && new Date(next.getTime() - 1).toISOString();
}
