import { OffsetRanges } from './offset-ranges';

const ends = [
  { partition: 0, low: '10', high: '20' },
  { partition: 1, low: '0', high: '0' },
];
const messages = (...offsets: number[]) => offsets.map((offset) => ({ offset: String(offset) }));

describe('the unread offset ranges of a topic', () => {
  it.each([
    ['is not named', {}, '10'],
    ['names what was deleted', { 0: '3' }, '10'],
    ['names what is not there yet', { 0: '21' }, '10'],
    ['is of a partition that does not exist', { 7: '4' }, '10'],
    ['lies within', { 0: '15' }, '15'],
    ['is the end', { 0: '20' }, '20'],
  ])('begin at the right offset when a position %s', (_, from, next) => {
    expect(new OffsetRanges(ends, from).positions).toEqual({ 0: next, 1: '0' });
  });

  it('contain each record once, none before the start and none from the end on', () => {
    const ranges = new OffsetRanges(ends, { 0: '12' });
    expect(ranges.unread(0, messages(11, 12, 19, 20))).toEqual(messages(12, 19));
    ranges.advance(0, '12');
    ranges.advance(0, '11');
    expect([ranges.unread(0, messages(11, 12, 13)), ranges.unread(7, messages(1))]).toEqual([messages(13), []]);
  });

  it('are finished when every partition has reached its end, across gaps', () => {
    const ranges = new OffsetRanges(ends, {});
    expect(ranges.finished).toBe(false);
    ranges.advance(0, '18');
    expect([ranges.finished, ranges.positions]).toEqual([false, { 0: '19', 1: '0' }]);
    ranges.advance(0, '22');
    expect(ranges.finished).toBe(true);
  });

  it('leave to the next read what was appended after their end, although a batch ends beyond it', () => {
    const ranges = new OffsetRanges(ends, {});
    const batch = messages(18, 19, 20, 21);
    expect(ranges.unread(0, batch)).toEqual(messages(18, 19));
    ranges.advance(0, '21');
    expect(ranges.positions).toEqual({ 0: '20', 1: '0' });
    const next = new OffsetRanges([{ partition: 0, low: '10', high: '22' }], ranges.positions);
    expect(next.unread(0, batch)).toEqual(messages(20, 21));
  });
});
