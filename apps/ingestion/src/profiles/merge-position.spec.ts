import { isBehind, mayBeOvertaken, positionAfter, positionAfterPage, wasRefused } from './merge-position';

const place = (offset: string, timestampMs: number, partition = 0) => ({ partition, offset, timestampMs });

describe('the merge position of a profile', () => {
  const merged = place('9007199254740993', 50);

  it.each([
    ['the last record', place('9007199254740993', 50), true],
    ['an earlier one', place('7', 20), true],
    ['the next one, though a clock is slow', place('9007199254740994', 40), false],
    ['a later one of offsets that began again', place('0', 51), false],
    ['one of another partition', place('7', 20, 1), false],
  ])('recognises %s', (_, record, behind) => {
    expect(isBehind(record, merged)).toBe(behind);
    expect(isBehind(record, undefined)).toBe(false);
  });

  it('distinguishes the last record from earlier ones, also of a fast clock, and from those of offsets that began again', () => {
    expect(
      [place('9007199254740993', 50), place('7', 50), place('7', 60_050), place('7', 60_051), place('7', 50, 1)].map(
        (record) => mayBeOvertaken(record, merged),
      ),
    ).toEqual([false, true, true, false, false]);
  });

  it('knows refused records by partition and offset', () => {
    const beyond = { ...merged, refused: ['7'] };
    expect(
      [place('7', 50), place('8', 50), place('7', 51), place('7', 50, 1)].map((record) => wasRefused(record, beyond)),
    ).toEqual([true, false, false, false]);
    const [next, last] = [place('9007199254740994', 60), place('9007199254740995', 60)];
    expect(positionAfterPage(beyond, [last], [next])).toEqual({ ...last, refused: [next.offset] });
    expect(positionAfterPage(beyond, [next, last], [])).toEqual(last);
    const ahead = positionAfterPage(beyond, [last], [{ ...next, timestampMs: 61 }]);
    expect(wasRefused({ ...next, timestampMs: 61 }, ahead)).toBe(true);
    expect(positionAfterPage(beyond, [], [next])).toBeUndefined();
  });

  it('keeps the latest time while offsets grow, so that a slow clock admits no earlier record', () => {
    const slow = positionAfter(merged, place('9007199254740994', 40));
    expect(slow).toEqual(place('9007199254740994', 50));
    expect(isBehind(place('9007199254740993', 50), slow)).toBe(true);
    expect([
      positionAfter(merged, place('0', 51)),
      positionAfter(merged, place('7', 20, 1)),
      positionAfter(undefined, place('3', 4)),
    ]).toEqual([place('0', 51), place('7', 20, 1), place('3', 4)]);
  });
});
