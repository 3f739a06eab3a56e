const pad = (n: number): string => String(n).padStart(2, '0');

/** The day of an instant in the zone of the viewer, as a date field has it; empty for what is no instant. */
export function dayOf(instant: string | undefined): string {
  const at = new Date(instant ?? '');
  return Number.isNaN(at.getTime()) ? '' : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

function midnight(day: string, daysLater: number): Date | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const at = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** The first instant of a day in the zone of the viewer, RFC 3339 in UTC. Undefined without a day. */
export const startOf = (day: string): string | undefined => midnight(day, 0)?.toISOString();

/** The last one. */
export function endOf(day: string): string | undefined {
  const next = midnight(day, 1);
  return next && new Date(next.getTime() - 1).toISOString();
}
