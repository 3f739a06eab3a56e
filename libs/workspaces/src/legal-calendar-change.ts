import {
  calendarFault,
  DEFAULT_LEGAL_CALENDAR,
  REGULATIONS,
  type LegalCalendar,
  type Regulation,
} from '@opendsr-service/contracts';
import type { WorkspaceDocument } from './workspace-documents';

/** What an operator changes of a workspace's calendar. A shorter period of `law` is that of the regulation again. */
export interface LegalCalendarChange extends Partial<Pick<LegalCalendar, 'timeZone' | 'holidays' | 'clockStart'>> {
  readonly shorterDays?: Readonly<Partial<Record<Regulation, number | 'law'>>>;
}

export const legalCalendarOf = ({ legal = {} }: Pick<WorkspaceDocument, 'legal'>): LegalCalendar => ({
  ...DEFAULT_LEGAL_CALENDAR,
  ...legal,
});

/** The update of a workspace's document. Throws a TypeError on a value that no calendar may have. */
export function legalCalendarUpdate({ shorterDays = {}, ...fields }: LegalCalendarChange) {
  const shorter = REGULATIONS.flatMap((regulation) => {
    const days = shorterDays[regulation];
    return typeof days === 'number' ? [[regulation, days] as const] : [];
  });
  const given = { ...fields, ...(fields.holidays && { holidays: [...new Set(fields.holidays)].sort() }) };
  const fault = calendarFault({ ...DEFAULT_LEGAL_CALENDAR, ...given, shorterDays: Object.fromEntries(shorter) });
  if (fault !== undefined) throw new TypeError(fault);
  const set = [...Object.entries(given), ...shorter.map(([regulation, days]) => [`shorterDays.${regulation}`, days])];
  const unset = REGULATIONS.filter((regulation) => shorterDays[regulation] === 'law');
  if (set.length + unset.length === 0) throw new TypeError('nothing of the calendar is to change');
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set.map(([name, value]) => [`legal.${String(name)}`, value])) }),
    ...(unset.length > 0 && {
      $unset: Object.fromEntries(unset.map((regulation) => [`legal.shorterDays.${regulation}`, 1 as const])),
    }),
  };
}
