import { ApiError } from './api-error';
import { mayLoseDecimals, parseJson, parseJsonToWrite } from './lossless-json';

const parse = (text: string, depth = 32) => parseJson(Buffer.from(text), depth);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

function refusal(bytes: string | Buffer, depth = 32): string {
  try {
    parseJson(Buffer.from(bytes), depth);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message;
  }
  throw new Error('was not refused with 400');
}

it('reads integers beyond 2^53 as bigint, also negative ones, and others as numbers', () => {
  expect(parse('{"mpids":[1234567890123456789,-9223372036854775808,9007199254740991,9007199254740992,7]}')).toEqual({
    mpids: [1234567890123456789n, -9223372036854775808n, 9007199254740991, 9007199254740992n, 7],
  });
});

it('reads them anywhere: alone, in nested lists, under any key, beside any strings', () => {
  expect(parse(' 9007199254740993 ')).toBe(9007199254740993n);
  const text =
    '{"a":[[9007199254740993],{"b\\"":-9007199254740993,"1":9007199254740994,"1":1}],' +
    '"s":"\\",9007199254740993","ü\\\\":[9007199254740993.0,1e22,0.1]}';
  expect(parse(text)).toEqual({
    a: [[9007199254740993n], { 'b"': -9007199254740993n, 1: 1 }],
    s: '",9007199254740993',
    'ü\\': [9007199254740992, 1e22, 0.1],
  });
});

it('leaves long digits in strings and fractions as they are', () => {
  expect(parse('{"id":"1234567890123456789","amount":0.12345678901234567}')).toEqual({
    id: '1234567890123456789',
    amount: 0.12345678901234567,
  });
});

it('keeps the text of decimals that a number would change, if they are to be written again', () => {
  const text = '{"a":12345678901234.5678,"b":[0.1,-0.12345678901234567890],"s":"12345678901234.5678","u":{"c":1e22}}';
  const written = (json: string) => JSON.stringify(parseJsonToWrite(Buffer.from(json), 32));
  expect(written(text)).toBe(text.replace('1e22', '1e+22'));
  for (const bad of [
    '[01.23456789012345678]',
    '[+1.2345678901234567]',
    '{1.23456789012345678:1}',
    '[1.2.3456789012345678]',
  ])
    expect(() => written(bad)).toThrow('The body is not valid JSON.');
  expect([text, '{"a":0.1,"n":1795424400000}'].map((json) => mayLoseDecimals(Buffer.from(json)))).toEqual([
    true,
    false,
  ]);
});

it('refuses a number that is too large, which would become null when written', () => {
  for (const text of ['{"a":1e400}', '[[{"a":[-1E+999]}]]', '1e308999']) expect(refusal(text)).toMatch(/too long/);
  expect(parse('[1e100,1E+308]')).toEqual([1e100, 1e308]);
  expect(refusal(`{"a":${'9'.repeat(41)}}`)).toMatch(/too long/);
});

it('refuses keys that set a prototype, also with escapes and beside a long integer', () => {
  expect(refusal('{"a":{"__proto__":{"x":1}}}')).toMatch(/not valid JSON/);
  expect(refusal('{"\\u005f_proto__":{"x":1},"n":1234567890123456789}')).toMatch(/not valid JSON/);
  expect(refusal('{"constructor":{"prototype":{"x":1}}}')).toMatch(/not valid JSON/);
});

it('accepts 32 levels, refuses 33, and counts no bracket inside a string', () => {
  expect(parse(nested(32))).toBeInstanceOf(Array);
  expect(refusal(nested(33))).toMatch(/deeper than 32/);
  expect(parse(`["${'['.repeat(40)}\\"${'{'.repeat(40)}"]`)).toHaveLength(1);
});

it('refuses a million open brackets without overflowing the stack', () => {
  expect(refusal('['.repeat(1_000_000))).toMatch(/deeper/);
});

it('refuses an empty body, malformed JSON and invalid UTF-8 without repeating them', () => {
  expect(refusal('')).toMatch(/empty/);
  for (const text of [
    '{"email":"ann@example.com"',
    '[9007199254740993-9007199254740993]',
    '[09007199254740993]',
    '[9007199254740993',
    '{9007199254740993:1}',
  ])
    expect(refusal(text)).toBe('The body is not valid JSON.');
  expect(refusal(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toMatch(/UTF-8/);
});
