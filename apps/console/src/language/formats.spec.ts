import { formatsOf, utcOf } from './formats';
import { languageOf } from './languages';
import { wordOf } from './texts';

const INSTANT = '2026-03-29T01:30:00.500Z';
const now = new Date('2026-03-29T12:00:00Z');

it('writes a time in the zone of the viewer, and in UTC for its title', () => {
  expect(formatsOf('en', 'Europe/Berlin').time(INSTANT)).toMatch(/^29 Mar 2026,? (at )?03:30:00$/);
  expect(formatsOf('de', 'Europe/Berlin').time(INSTANT)).toBe('29.03.2026, 03:30:00');
  expect(formatsOf('de', 'America/New_York').time(INSTANT)).toBe('28.03.2026, 21:30:00');
  expect(utcOf(INSTANT)).toBe('2026-03-29 01:30:00 UTC');
  expect(utcOf('2026-03-29T03:30:00+02:00')).toBe('2026-03-29 01:30:00 UTC');
});

it('writes a day in UTC as that day in every zone', () => {
  const [english, german] = [formatsOf('en', 'America/New_York'), formatsOf('de', 'Asia/Tokyo')];
  expect([english.utcDay('2026-03-29'), german.utcDay('2026-03-29')]).toEqual(['29 Mar 2026', '29.03.2026']);
  expect([english.utcDayOfMonth('2026-03-29'), german.utcDayOfMonth('2026-03-29')]).toEqual(['29/03', '29.3.']);
});

it.each([
  ['2026-04-05T13:00:00Z', 'in 7 days', 'in 7 Tagen'],
  ['2026-03-29T09:00:00Z', '3 hours ago', 'vor 3 Stunden'],
  ['2026-03-27T20:00:00Z', '1 day ago', 'vor 1 Tag'],
  ['2026-03-31T11:00:00Z', 'in 1 day', 'in 1 Tag'],
  ['2026-03-29T12:20:00Z', 'in 20 minutes', 'in 20 Minuten'],
])('says how far away %s is', (iso, en, de) => {
  expect([formatsOf('en').distance(iso, now), formatsOf('de').distance(iso, now)]).toEqual([en, de]);
});

it('groups digits as the language does', () => {
  expect([formatsOf('en').count(10_000), formatsOf('de').count(10_000)]).toEqual(['10,000', '10.000']);
});

it('takes the first language of the browser that it speaks', () => {
  expect(languageOf(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(languageOf(['fr'])).toBe('en');
  expect(languageOf([])).toBe('en');
});

it('gives the word of a value, and the value where it has none', () => {
  const words = { failed: 'fehlgeschlagen' };
  expect(['failed', 'odd', 'toString'].map((value) => wordOf(words, value))).toEqual([
    'fehlgeschlagen',
    'odd',
    'toString',
  ]);
});
