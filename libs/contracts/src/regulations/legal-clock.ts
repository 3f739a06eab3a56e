import type { Regulation } from '../vocabulary';
import { addDays, addMonths, dayAt, isWorkingDay, lastInstantOf, type CivilDay } from './civil-day';
import type { LegalCalendar } from './legal-calendar';
import { REGULATION_RULES, type Period } from './rules';

/** The part of a period after which a request that has not ended is at risk. */
const AT_RISK_PART = 0.75;

/** When the clock of a request starts: when the data subject asked; at the latest when we received it. */
export const legalSince = (
  { submittedTime, receivedAt }: { readonly submittedTime: Date; readonly receivedAt: Date },
  { clockStart }: Pick<LegalCalendar, 'clockStart'>,
): Date => (clockStart === 'submitted' && submittedTime < receivedAt ? submittedTime : receivedAt);

/** The last instant at which an answer is in time, by the workspace's own shorter period where it has one. */
export function legalDueAt(regulation: Regulation, since: Date, calendar: LegalCalendar): Date {
  const shorterDays = calendar.shorterDays[regulation];
  const dueAt = endOf(REGULATION_RULES[regulation].answer, since, calendar);
  if (shorterDays === undefined) return dueAt;
  const shorter = endOf({ count: shorterDays, unit: 'day', endsOn: 'any-day' }, since, calendar);
  return shorter < dueAt ? shorter : dueAt;
}

/** The same after the extension: one period from the same day, longer by the extension (decision 24). */
export function extendedDueAt(regulation: Regulation, since: Date, calendar: LegalCalendar): Date {
  const { answer, extension } = REGULATION_RULES[regulation];
  return endOf({ ...answer, count: answer.count + extension.by.count }, since, calendar);
}

/** By when the data subject must hear of an extension and its reasons. */
export const extensionNoticeDueAt = (regulation: Regulation, since: Date, calendar: LegalCalendar): Date =>
  endOf(REGULATION_RULES[regulation].extensionNotice, since, calendar);

/** From when on a request that has not ended is at risk: three quarters of its time are gone. */
export const atRiskAt = (since: Date, dueAt: Date): Date =>
  new Date(since.getTime() + Math.round((dueAt.getTime() - since.getTime()) * AT_RISK_PART));

/** The day of the event does not count (Regulation 1182/71, Art. 3(1); Cal. Civ. Code § 10). */
function endOf({ count, unit, endsOn }: Period, since: Date, { timeZone, holidays }: LegalCalendar): Date {
  const first = dayAt(since.getTime(), timeZone);
  const last = unit === 'month' ? addMonths(first, count) : addDays(first, count);
  return lastInstantOf(endsOn === 'working-day' ? orNextWorkingDay(last, holidays) : last, timeZone);
}

function orNextWorkingDay(day: CivilDay, holidays: readonly string[]): CivilDay {
  let working = day;
  while (!isWorkingDay(working, holidays)) working = addDays(working, 1);
  return working;
}
