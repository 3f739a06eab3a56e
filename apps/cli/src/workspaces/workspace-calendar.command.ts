import {
  CLOCK_STARTS,
  isCalendarDay,
  isTimeZone,
  MAX_HOLIDAYS,
  MAX_SHORTER_DAYS,
  type LegalCalendar,
  type Regulation,
} from '@opendsr-service/contracts';
import type { LegalCalendarChange, Workspaces } from '@opendsr-service/workspaces';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.wiring';
import { oneOf, optional, UsageError, wholeNumber } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';

const timeZone = (text: string): string => {
  if (!isTimeZone(text)) throw new UsageError('must be the name of a time zone, such as Europe/Berlin');
  return text;
};

const holidays = (text: string): readonly string[] => {
  if (text === 'none') return [];
  const days = text.split(',').map((day) => day.trim());
  if (!days.every(isCalendarDay)) throw new UsageError('must be days such as 2026-12-25,2026-12-26, or none');
  if (days.length > MAX_HOLIDAYS) throw new UsageError(`must be at most ${MAX_HOLIDAYS} days`);
  return days;
};

/** Never longer than the law: the largest number is shorter in every month. */
const shorterDays = (regulation: Regulation) => (text: string) =>
  text === 'law' ? text : wholeNumber(1, MAX_SHORTER_DAYS[regulation])(text);

/** `dsr workspaces calendar` (docs/workspaces.md). */
export const workspacesCalendar = command({
  words: 'workspaces calendar',
  meaning:
    'sets how the legal periods of a workspace are counted, or shows it: time zone, public holidays (all of ' +
    'them; none removes them), its own periods in days, which may only be shorter than the law, and whether ' +
    'the clock starts when the data subject asked or at receipt',
  options: {
    workspace,
    'time-zone': optional('ZONE', timeZone),
    holidays: optional('DAY,DAY|none', holidays),
    'gdpr-days': optional('DAYS|law', shorterDays('gdpr')),
    'ccpa-days': optional('DAYS|law', shorterDays('ccpa')),
    'clock-start': optional(CLOCK_STARTS.join('|'), oneOf(CLOCK_STARTS)),
    ...answeredFor,
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const change = {
        ...defined({
          timeZone: given['time-zone'],
          holidays: given.holidays,
          clockStart: given['clock-start'],
          shorterDays: shorterOf({ gdpr: given['gdpr-days'], ccpa: given['ccpa-days'] }),
        }),
      };
      const isChange = Object.keys(change).length > 0;
      if (isChange) await stores.note(given, { ws: given.workspace, action: 'workspace-calendar-asked' });
      const legal = await calendarAfter(await stores.workspaces(), given.workspace, change);
      if (!legal) throw new CommandError(`there is no workspace ${given.workspace}`);
      show(terminal, given, { workspace: given.workspace, ...legal }, () => [
        ...linesOf(legal),
        ...(isChange ? ['Every replica knows it within 30 s. Requests that were received keep their dates.'] : []),
      ]);
      return EXIT.ok;
    }),
});

async function calendarAfter(
  workspaces: Workspaces,
  ws: string,
  change: LegalCalendarChange,
): Promise<LegalCalendar | undefined> {
  const isChange = Object.keys(change).length > 0;
  return (isChange ? await workspaces.setLegalCalendar(ws, change) : await workspaces.get(ws))?.legal;
}

function shorterOf(
  given: Readonly<Record<Regulation, number | 'law' | undefined>>,
): LegalCalendarChange['shorterDays'] {
  const shorter = defined(given);
  return Object.keys(shorter).length > 0 ? shorter : undefined;
}

const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

const linesOf = (legal: LegalCalendar): readonly string[] => [
  `time-zone  ${legal.timeZone}`,
  `holidays  ${legal.holidays.join(',') || 'none'}`,
  `gdpr-days  ${legal.shorterDays.gdpr ?? 'law'}`,
  `ccpa-days  ${legal.shorterDays.ccpa ?? 'law'}`,
  `clock-start  ${legal.clockStart}`,
];
