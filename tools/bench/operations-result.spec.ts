import { operationsOfEach, operationsTable, type Operations } from './operations-result';

const all = (each: number): Operations => ({
  finds: each,
  writes: each,
  documents: each,
  produces: each,
  records: each,
  fetches: each,
  commits: each,
});

it('says what one thing did between two readings', () => {
  expect(operationsOfEach(all(10), all(40), 20)).toEqual(all(1.5));
});

it('shows a row for each thing', () => {
  const table = operationsTable({
    perSecond: 20,
    create: all(1),
    callback: all(2),
    life: { ...all(3), commits: 4.567 },
    idleSecond: all(0),
  });
  expect(table.split('\n').map((line) => line.split(/ {2,}/).at(-1)?.trim())).toEqual([
    'commits',
    '1.00',
    '2.00',
    '4.57',
    '0.00',
  ]);
});
