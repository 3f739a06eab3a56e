import { calendarFault, DEFAULT_LEGAL_CALENDAR, MAX_HOLIDAYS } from './legal-calendar';

it.each([
  [{ timeZone: 'Europe/Berlin' }],
  [{ timeZone: 'America/Argentina/Buenos_Aires' }],
  [{ timeZone: 'Etc/GMT+5' }],
  [{ holidays: ['2028-02-29', '2026-12-25'] }],
  [{ shorterDays: { gdpr: 27, ccpa: 44 } }],
  [{ shorterDays: { gdpr: 1 } }],
])('takes %j', (given) => {
  expect(calendarFault({ ...DEFAULT_LEGAL_CALENDAR, ...given })).toBeUndefined();
});

it.each([
  [{ timeZone: '+01:00' }, 'time zone'],
  [{ timeZone: 'Europe/Atlantis' }, 'time zone'],
  [{ timeZone: '' }, 'time zone'],
  [{ holidays: ['2026-02-29'] }, 'holiday'],
  [{ holidays: ['25.12.2026'] }, 'holiday'],
  [{ holidays: Array.from({ length: MAX_HOLIDAYS + 1 }, () => '2026-12-25') }, 'holidays'],
  [{ shorterDays: { gdpr: 28 } }, 'gdpr'],
  [{ shorterDays: { ccpa: 45 } }, 'ccpa'],
  [{ shorterDays: { gdpr: 0 } }, 'gdpr'],
  [{ shorterDays: { gdpr: 1.5 } }, 'gdpr'],
])('refuses %j and says what is wrong', (given, word) => {
  expect(calendarFault({ ...DEFAULT_LEGAL_CALENDAR, ...given })).toContain(word);
});
