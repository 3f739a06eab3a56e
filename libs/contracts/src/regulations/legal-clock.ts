import { REGULATIONS, type Regulation } from '../vocabulary';
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

/**
 * The last instant at which an answer is in time, by the workspace's own shorter period where it has one. Where no regulation
 * is named, as in version 1: the earliest date of all (decision 24).
 */
export function legalDueAt(regulation: Regulation | undefined, since: Date, calendar: LegalCalendar): Date {
  const ends = rulesFor(regulation).flatMap(([name, { answer }]) => {
    const shorterDays = calendar.shorterDays[name];
    const shorter = shorterDays !== undefined && ({ count: shorterDays, unit: 'day', endsOn: 'any-day' } as const);
    return [endOf([answer], since, calendar), ...(shorter ? [endOf([shorter], since, calendar)] : [])];
  });
  return earliest(ends);
}

/**
 * The same after the extension: one longer period from the same day, or the extension from the last day of the first, whichever
 * ends earlier (decision 24).
 */
export const extendedDueAt = (regulation: Regulation | undefined, since: Date, calendar: LegalCalendar): Date =>
  earliest(
    rulesFor(regulation).flatMap(([, { answer, extension }]) => [
      endOf([{ ...answer, count: answer.count + extension.by.count }], since, calendar),
      endOf([answer, extension.by], since, calendar),
    ]),
  );

/** By when the data subject must hear of an extension and its reasons. */
export const extensionNoticeDueAt = (regulation: Regulation | undefined, since: Date, calendar: LegalCalendar): Date =>
  earliest(rulesFor(regulation).map(([, { extensionNotice }]) => endOf([extensionNotice], since, calendar)));

const rulesFor = (regulation: Regulation | undefined) =>
  (regulation ? [regulation] : REGULATIONS).map((name) => [name, REGULATION_RULES[name]] as const);

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map((date) => date.getTime())));

/** From when on a request that has not ended is at risk: three quarters of its time are gone. */
export const atRiskAt = (since: Date, dueAt: Date): Date =>
  new Date(since.getTime() + Math.round((dueAt.getTime() - since.getTime()) * AT_RISK_PART));

/**
 * The end of periods, each counted from the last day of the one before. The day of the event does not count (Regulation 1182/71,
 * Art. 3(1); Cal. Civ. Code § 10).
 */
function endOf(periods: readonly Period[], since: Date, { timeZone, holidays }: LegalCalendar): Date {
  const first = dayAt(since.getTime(), timeZone);
  const last = periods.reduce((day, { unit, count }) => (unit === 'month' ? addMonths : addDays)(day, count), first);
  const movesOn = periods.at(-1)?.endsOn === 'working-day';
  return lastInstantOf(movesOn ? orNextWorkingDay(last, holidays) : last, timeZone);
}

function orNextWorkingDay(day: CivilDay, holidays: readonly string[]): CivilDay {
  let working = day;
  while (!isWorkingDay(working, holidays)) working = addDays(working, 1);
  return working;
}
