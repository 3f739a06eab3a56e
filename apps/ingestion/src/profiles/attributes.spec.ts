import { mergeWithin, type Attributes } from './attributes';
import { losslessJson, parseLossless } from './lossless';

describe('attributes of a profile', () => {
  const merged = (before: Attributes, ...received: Attributes[]) => mergeWithin(Infinity, before, received).attributes;

  it('take the later value and lose null values', () => {
    expect(merged({ food: 'pie', age: 30, shoe: 44 }, { age: 31, shoe: null })).toEqual({ food: 'pie', age: 31 });
  });

  it('keep their order, and a removed one that comes again is the last', () => {
    const after = merged({ a: 1, b: 1, c: 1 }, { d: 1, a: 2, b: null }, { 7: 1, b: 2, ['__proto__']: 1 });
    expect(losslessJson(after)).toBe('{"7":1,"a":2,"c":1,"d":1,"b":2,"__proto__":1}');
  });

  it('are the same when received twice', () => {
    const received = { age: 31, shoe: null };
    const once = merged({ age: 30 }, received);
    expect(merged(once, received)).toEqual(once);
  });

  it('are not built again for each change of a chunk', () => {
    const before = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`a${n}`, n]));
    const received = Array.from({ length: 500 }, (_, n) => ({ [`a${n}`]: -n }));
    let entries = 0;
    const entriesOf = Object.entries;
    const spy = jest.spyOn(Object, 'entries').mockImplementation((of: object) => {
      const all = entriesOf(of);
      entries += all.length;
      return all;
    });
    const after = merged(before, ...received);
    spy.mockRestore();
    expect(entries).toBeLessThan(10_000);
    expect(after).toEqual({ ...before, ...(Object.assign({}, ...received) as Attributes) });
  });

  it('stay within a limit of bytes, and stay unchanged if a change would exceed it', () => {
    const limit = Buffer.byteLength('{"é":"é","n":12345678901234567890}');
    const before = { é: 'é' };
    expect(mergeWithin(limit, before, [{ n: 12345678901234567890n }])).toEqual({
      attributes: { é: 'é', n: 12345678901234567890n },
      refused: new Set(),
    });
    expect(mergeWithin(limit - 1, before, [{ n: 12345678901234567890n }])).toEqual({
      attributes: before,
      refused: new Set([0]),
    });
    expect(
      mergeWithin(limit - 1, before, [
        { n: 12345678901234567890n },
        { é: null },
        { n: 12345678901234567890n },
        { é: 'é' },
      ]),
    ).toEqual({
      attributes: { n: 12345678901234567890n },
      refused: new Set([0, 3]),
    });
  });

  it('may shrink above a lowered limit, but not grow', () => {
    const before = { a: 'xxxx', b: 'xxxx' };
    expect(mergeWithin(2, before, [{ a: 'yyyyy' }, { a: 'zzz' }, { a: 'zzzz' }, { gone: null }])).toEqual({
      attributes: { a: 'zzz', b: 'xxxx' },
      refused: new Set([0, 2]),
    });
  });

  it('keep every digit of numbers', () => {
    for (const json of [
      '{"id":9007199254740993,"list":[-9223372036854775808]}',
      '{"sum":12345678901234.5678,"list":[{"a":0.12345678901234567},-1.2345678901234567e-10,1.5]}',
      '{"id":9007199254740993,"sum":1234567890123456.50,"o":{"sum":-0.10000000000000000001}}',
    ])
      expect(losslessJson(parseLossless(Buffer.from(json)))).toBe(json);
  });

  it('keep the digits of decimals when they are merged, and count them', () => {
    const json = '{"sum":12345678901234.5678}';
    const received = parseLossless(Buffer.from(json)) as Readonly<Record<string, unknown>>;
    const limit = Buffer.byteLength('{"sum":12345678901234.5678,"n":1}');
    expect(mergeWithin(limit - 1, { n: 1 }, [received]).refused).toEqual(new Set([0]));
    expect(losslessJson(mergeWithin(limit, { n: 1 }, [received]).attributes)).toBe('{"n":1,"sum":12345678901234.5678}');
  });
});
