import { lagsOf } from './kafka-lag';

it.each([
  ['a position', [{ partition: 0, offset: '7' }], 2],
  ['a position at the end', [{ partition: 0, offset: '9' }], 0],
  ['no position, said as -1', [{ partition: 0, offset: '-1' }], 6],
  ['no position, and none said', [], 6],
  ['a position past an end that was asked for before', [{ partition: 0, offset: '12' }], 0],
  ['a position in another partition', [{ partition: 1, offset: '9' }], 6],
])('counts the records that a group has before it, with %s', (_title, committed, lag) => {
  expect(lagsOf([{ partition: 0, low: '3', high: '9' }], committed)).toEqual([{ partition: 0, lag, end: '9' }]);
});
