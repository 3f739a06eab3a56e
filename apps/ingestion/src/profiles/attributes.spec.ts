import { mergeAttributes } from './attributes';
import { losslessJson, parseLossless } from './lossless';

describe('attributes of a profile', () => {
  it('take the later value and lose what becomes null', () => {
    expect(mergeAttributes({ food: 'pie', age: 30, shoe: 44 }, { age: 31, shoe: null })).toEqual({ food: 'pie', age: 31 });
  });

  it('are the same when received twice', () => {
    const received = { age: 31, shoe: null };
    const once = mergeAttributes({ age: 30 }, received);
    expect(mergeAttributes(once, received)).toEqual(once);
  });

  it('keep every digit of an integer', () => {
    const json = '{"id":9007199254740993,"list":[-9223372036854775808]}';
    expect(losslessJson(parseLossless(Buffer.from(json)))).toBe(json);
  });
});
