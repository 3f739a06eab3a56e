import { REGULATIONS, type Regulation } from '../vocabulary';
import dates from './golden/legal-dates.json';
import { DEFAULT_LEGAL_CALENDAR, type LegalCalendar } from './legal-calendar';
import { atRiskAt, extendedDueAt, extensionNoticeDueAt, legalDueAt, legalSince } from './legal-clock';
import { countedRegulation, REGULATION_RULES } from './rules';

interface Dated extends Pick<LegalCalendar, 'timeZone' | 'holidays'> {
  readonly name: string;
  readonly regulation: Regulation;
  readonly since: string;
  readonly dueAt: string;
  readonly extendedAt: string;
  readonly noticeAt: string;
}

const known = dates as unknown as readonly Dated[];
const calendarOf = (more: Partial<LegalCalendar>): LegalCalendar => ({ ...DEFAULT_LEGAL_CALENDAR, ...more });

it('knows dates of both regulations from another source, at least sixty of each', () => {
  for (const regulation of REGULATIONS)
    expect(known.filter((one) => one.regulation === regulation).length).toBeGreaterThanOrEqual(60);
});

it.each(known)('counts as python’s dateutil counts: $name, $regulation from $since in $timeZone', (dated) => {
  const { regulation, timeZone, holidays } = dated;
  const since = new Date(dated.since);
  const calendar = calendarOf({ timeZone, holidays });
  expect({
    dueAt: legalDueAt(regulation, since, calendar).toISOString(),
    extendedAt: extendedDueAt(regulation, since, calendar).toISOString(),
    noticeAt: extensionNoticeDueAt(regulation, since, calendar).toISOString(),
  }).toEqual({
    dueAt: dated.dueAt,
    extendedAt: dated.extendedAt,
    noticeAt: dated.noticeAt,
  });
});

describe('by hand', () => {
  const berlin = calendarOf({ timeZone: 'Europe/Berlin' });
  const due = (since: string, calendar = berlin, regulation: Regulation = 'gdpr') =>
    legalDueAt(regulation, new Date(since), calendar).toISOString();

  it.each([
    ['Art. 3(1): the day of the event does not count', '2026-06-15T21:59:59.999Z', '2026-07-15T21:59:59.999Z'],
    ['Art. 3(2)(c): the same date of the last month', '2026-06-15T22:00:00.000Z', '2026-07-16T21:59:59.999Z'],
    ['Art. 3(2)(c): the last day where there is no such date', '2028-01-31T12:00:00.000Z', '2028-02-29T22:59:59.999Z'],
    ['Art. 3(4): a Saturday moves to Monday', '2026-06-18T12:00:00.000Z', '2026-07-20T21:59:59.999Z'],
  ])('Regulation 1182/71, %s', (_article, since, expected) => {
    expect(due(since)).toBe(expected);
  });

  it('Regulation 1182/71, Art. 3(4): holidays and weekends in a row move the end behind all of them', () => {
    const holidays = ['2026-12-24', '2026-12-25', '2026-12-28', '2027-01-01'];
    expect(due('2026-11-24T12:00:00Z', { ...berlin, holidays })).toBe('2026-12-29T22:59:59.999Z');
  });

  it('Art. 12(3) GDPR: an extension makes three months from the same day, not two months from where the first ended', () => {
    const since = new Date('2026-11-30T12:00:00Z');
    expect(legalDueAt('gdpr', since, berlin).toISOString()).toBe('2026-12-30T22:59:59.999Z');
    // The 28th of February 2027 is a Sunday.
    expect(extendedDueAt('gdpr', since, berlin).toISOString()).toBe('2027-03-01T22:59:59.999Z');
    // The first month ends on a Saturday, the 19th of December.
    expect(extendedDueAt('gdpr', new Date('2026-11-19T12:00:00Z'), berlin).toISOString()).toBe(
      '2027-02-19T22:59:59.999Z',
    );
  });

  it('Art. 12(3) GDPR: two months from the last day of a shorter first month count where they end earlier', () => {
    expect(extendedDueAt('gdpr', new Date('2027-05-31T12:00:00Z'), berlin).toISOString()).toBe(
      '2027-08-30T21:59:59.999Z',
    );
  });

  it('a day on which clocks go back has its last hour twice, and one on which they go forward at midnight ends with it', () => {
    const santiago = calendarOf({ timeZone: 'America/Santiago' });
    expect(due('2026-02-18T12:00:00Z', santiago, 'ccpa')).toBe('2026-04-05T03:59:59.999Z');
    expect(due('2026-07-22T12:00:00Z', santiago, 'ccpa')).toBe('2026-09-06T03:59:59.999Z');
  });

  it('a zone that skips a whole day has no end of that day: the period ends where it would have begun', () => {
    // Samoa went from the 29th to the 31st of December 2011.
    const apia = calendarOf({ timeZone: 'Pacific/Apia' });
    for (const day of ['14', '15'])
      expect(due(`2011-11-${day}T12:00:00Z`, apia, 'ccpa')).toBe('2011-12-30T09:59:59.999Z');
  });

  it.each(['0000-01-31T12:00:00.000Z', '0001-01-31T12:00:00.000Z', '1850-05-31T12:00:00.000Z', '9999-12-31T23:59:59Z'])(
    'counts from any time that a controller may send: %s',
    (since) => {
      for (const regulation of REGULATIONS) {
        const dueAt = legalDueAt(regulation, new Date(since), berlin).getTime();
        expect(dueAt - Date.parse(since)).toBeGreaterThan(27 * 86_400_000);
        expect(dueAt - Date.parse(since)).toBeLessThan(49 * 86_400_000);
      }
    },
  );
});

describe('a workspace', () => {
  const since = new Date('2026-11-21T10:00:00Z');

  it('may answer sooner than the law, on the very day that its own period ends, and never later', () => {
    const calendar = calendarOf({ shorterDays: { gdpr: 14 } });
    // A Saturday.
    expect(legalDueAt('gdpr', since, calendar).toISOString()).toBe('2026-12-05T23:59:59.999Z');
    expect(legalDueAt('ccpa', since, calendar)).toEqual(legalDueAt('ccpa', since, DEFAULT_LEGAL_CALENDAR));
    const february = new Date('2027-02-01T10:00:00Z');
    expect(legalDueAt('gdpr', february, calendarOf({ shorterDays: { gdpr: 99 } }))).toEqual(
      legalDueAt('gdpr', february, DEFAULT_LEGAL_CALENDAR),
    );
  });

  it('extends by the periods of the law, also where its own are shorter', () => {
    const calendar = calendarOf({ shorterDays: { gdpr: 14, ccpa: 10 } });
    for (const regulation of REGULATIONS) {
      expect(extendedDueAt(regulation, since, calendar)).toEqual(
        extendedDueAt(regulation, since, DEFAULT_LEGAL_CALENDAR),
      );
      expect(extensionNoticeDueAt(regulation, since, calendar)).toEqual(
        legalDueAt(regulation, since, DEFAULT_LEGAL_CALENDAR),
      );
    }
  });

  it('starts the clock when the data subject asked, at receipt where that lies in the future or the workspace says so', () => {
    const [earlier, later] = [new Date(since.getTime() - 1), new Date(since.getTime() + 1)];
    const start = (submittedTime: Date, clockStart: LegalCalendar['clockStart'] = 'submitted') =>
      legalSince({ submittedTime, receivedAt: since }, { clockStart });
    expect([start(earlier), start(later), start(earlier, 'received')]).toEqual([earlier, since, since]);
  });
});

it('is at risk when three quarters of the period are gone', () => {
  expect(atRiskAt(new Date(1_000), new Date(9_000))).toEqual(new Date(7_000));
});

it('extends each regulation once', () => {
  expect(REGULATIONS.map((regulation) => REGULATION_RULES[regulation].extension.times)).toEqual([1, 1]);
});

describe('a request that names no regulation', () => {
  const datesOf = (regulation: Regulation | undefined, since: Date, calendar: LegalCalendar) =>
    [legalDueAt, extendedDueAt, extensionNoticeDueAt].map((date) => date(regulation, since, calendar).getTime());

  it('has the earliest dates of all regulations, by either of them, and counts as gdpr', () => {
    const earlier = new Set<Regulation>();
    for (const { since, timeZone, holidays } of known) {
      const of = (regulation?: Regulation) => datesOf(regulation, new Date(since), calendarOf({ timeZone, holidays }));
      const [gdpr, ccpa] = [of('gdpr'), of('ccpa')];
      expect(of()).toEqual(gdpr.map((date, n) => Math.min(date, ccpa[n] as number)));
      earlier.add((gdpr[1] as number) < (ccpa[1] as number) ? 'gdpr' : 'ccpa');
    }
    expect([...earlier].sort()).toEqual(['ccpa', 'gdpr']);
    expect([countedRegulation(undefined), countedRegulation('ccpa')]).toEqual(['gdpr', 'ccpa']);
  });

  it('is answered by the shortest period of its workspace', () => {
    const since = new Date('2026-11-21T10:00:00Z');
    const [dueAt] = datesOf(undefined, since, calendarOf({ shorterDays: { gdpr: 25, ccpa: 20 } }));
    expect(new Date(dueAt as number).toISOString()).toBe('2026-12-11T23:59:59.999Z');
  });
});
