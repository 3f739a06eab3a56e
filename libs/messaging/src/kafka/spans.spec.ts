import { Spans } from './spans';

const ends = [
  { partition: 0, low: '10', high: '20' },
  { partition: 1, low: '0', high: '0' },
];
const messages = (...offsets: number[]) => offsets.map((offset) => ({ offset: String(offset) }));

describe('what is left to read of a topic', () => {
  it.each([
    ['is not named', {}, '10'],
    ['names what was deleted', { 0: '3' }, '10'],
    ['names what is not there yet', { 0: '21' }, '10'],
    ['is of a partition that does not exist', { 7: '4' }, '10'],
    ['lies within', { 0: '15' }, '15'],
    ['is the end', { 0: '20' }, '20'],
  ])('begins where it has to when a position %s', (_, from, next) => {
    expect(new Spans(ends, from).positions).toEqual({ 0: next, 1: '0' });
  });

  it('wants each record once, none before its start and none from its end on', () => {
    const spans = new Spans(ends, { 0: '12' });
    expect(spans.wanted(0, messages(11, 12, 19, 20))).toEqual(messages(12, 19));
    spans.pass(0, '12');
    spans.pass(0, '11');
    expect([spans.wanted(0, messages(11, 12, 13)), spans.wanted(7, messages(1))]).toEqual([messages(13), []]);
  });

  it('is finished when every partition has reached its end, across gaps', () => {
    const spans = new Spans(ends, {});
    expect(spans.finished).toBe(false);
    spans.pass(0, '22');
    expect([spans.finished, spans.positions]).toEqual([true, { 0: '23', 1: '0' }]);
  });
});
