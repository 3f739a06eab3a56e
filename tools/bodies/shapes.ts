/** JSON text of about so many bytes, never more. */
export type Shape = (bytes: number) => string;

/** So many copies of a text, with commas between them, as fit. */
const listed = (element: string, bytes: number): string =>
  Array.from({ length: Math.max(1, Math.floor(bytes / (Buffer.byteLength(element) + 1))) }, () => element).join(',');

const list =
  (element: string): Shape =>
  (bytes) =>
    `[${listed(element, bytes - 2)}]`;
/** A list whose last element is another one. */
const listWith =
  (element: string, last: string): Shape =>
  (bytes) =>
    `[${listed(element, bytes - last.length - 3)},${last}]`;
const text =
  (unit: string): Shape =>
  (bytes) =>
    `"${unit.repeat(Math.floor((bytes - 2) / Buffer.byteLength(unit)))}"`;
const digits =
  (before: string): Shape =>
  (bytes) =>
    before + '1'.repeat(bytes - before.length);

/** The service takes 12,000 keys of a body; some are those of the fields around. */
const KEYS = 11_900;
const KEY_CHARS = 5;

/** An object of so many keys, the values as long as there is room for. */
function keyed(count: number, nameOf: (n: number) => string): Shape {
  return (bytes) => {
    const names = Array.from({ length: count }, (_, n) => `"${nameOf(n)}":`);
    const each = Math.max(2, Math.floor((bytes - names.join('').length - count - 2) / count));
    return `{${names.map((name) => `${name}[${listed('0', each - 2)}]`).join(',')}}`;
  };
}

const numbered = (n: number): string => `k${String(n).padStart(KEY_CHARS, '0')}`;
const LONG_KEY = 4_096;
const LEVELS = 26;

/** What anything in a body may be: deep, wide, long, with many keys, or made against one of the steps that read it. */
export const valueShapes: Readonly<Record<string, Shape>> = {
  'list of 0': list('0'),
  'list of {}': list('{}'),
  'list of []': list('[]'),
  'list of ""': list('""'),
  'list of null': list('null'),
  'list of 1e100': list('1e100'),
  'list of deep lists': list('['.repeat(LEVELS) + ']'.repeat(LEVELS)),
  'list of integers beyond 2^53': list('9007199254740993'),
  '0 and one integer beyond 2^53': listWith('0', '9007199254740993'),
  '{} and one integer beyond 2^53': listWith('{}', '9007199254740993'),
  '"" and a text of 16 digits': listWith('""', '"1234567890123456"'),
  'a key constructor beside {}': (bytes) => `{"constructor":1,"x":${list('{}')(bytes - 22)}}`,
  'a key constructor beside [] and an integer beyond 2^53': (bytes) =>
    `{"constructor":1,"x":${listWith('[]', '9007199254740993')(bytes - 22)}}`,
  'a key __proto__ behind []': (bytes) => `{"x":${list('[]')(bytes - 22)},"__proto__":1}`,
  'texts that end like a key __proto__': list('"__proto__" '),
  'many keys': keyed(KEYS, numbered),
  'the same key often': keyed(KEYS, () => 'k'),
  'the same long key often': (bytes) => keyed(Math.floor(bytes / (LONG_KEY + 8)), () => 'k'.repeat(LONG_KEY))(bytes),
  'too many keys': (bytes) => `{${listed('"":0', bytes - 2)}}`,
  'too deep': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'no end': (bytes) => `[${listed('0', bytes - 1)}`,
  'a long number': digits(''),
  'a long fraction': digits('0.'),
  'a long text': text('a'),
  'a long text of escapes': text('\\u00e9'),
  'a long text of halves of pairs': text('\\ud800'),
  'a long text of emoji': text('\u{1f600}'),
  'a long text of selectors': text('\ufe0f'),
  'a long text of quotes': text('\\"'),
  'a long text of blanks': text(' '),
  'a long address': text('1.'),
  'a long address of version 6': text(':'),
  'a long time': (bytes) => `"2026-01-01T00:00:00.${'1'.repeat(bytes - 24)}Z"`,
  'a long URL': (bytes) => `"https://a.example/${'%C3'.repeat(Math.floor((bytes - 22) / 3))}"`,
};

/** Lists of the elements that belong at a place. `wrong` is almost one of them. */
export const elementShapes = (good: string, wrong: string): Readonly<Record<string, Shape>> => ({
  'as it should be': list(good),
  'almost as it should be': list(wrong),
  'as it should be, but for the last': listWith(good, wrong),
  'lists of what it should be': list(`[${good}]`),
});
