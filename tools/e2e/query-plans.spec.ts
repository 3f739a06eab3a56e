import { runQueryOf } from './query-plans';

const ran = (planSummary: string | undefined, command: object, op = 'query') =>
  runQueryOf('p_', { ns: 'p_gateway.requests', op, ...(planSummary !== undefined && { planSummary }), command });

it('names the fields of a filter, also those of its alternatives, and the first field of each index', () => {
  const filter = { ws: 'w', $or: [{ a: 1 }, { $nor: [{ b: 1 }] }] };
  expect(ran('IXSCAN { a: 1, c: 1 }, IXSCAN { b: 1 }', { filter, sort: { a: 1 } })).toEqual({
    collection: 'gateway.requests',
    fields: ['ws', 'a', 'b'],
    sort: ['a'],
    indexes: ['a', 'b'],
  });
});

it('reads the filters of updates and aggregations', () => {
  expect(ran('IXSCAN { _id: 1 }', { q: { _id: 'a' }, u: {} }, 'update')?.fields).toEqual(['_id']);
  expect(ran('COUNT_SCAN { s: 1 }', { pipeline: [{ $match: { s: 1 } }] }, 'command')).toMatchObject({
    fields: ['s'],
    indexes: ['s'],
  });
});

it('tells a query by id, and one that reads the collection', () => {
  expect(ran('IDHACK', { filter: { _id: 'a' } })?.indexes).toEqual(['_id']);
  expect(ran('COLLSCAN', { filter: { a: 1 } })).toMatchObject({ fields: ['a'], indexes: undefined });
});

it('leaves out what looks for nothing', () => {
  expect(ran(undefined, {}, 'insert')).toBeUndefined();
  expect(ran('EOF', { filter: { a: 1 } })).toBeUndefined();
  expect(ran('IXSCAN { a: 1 }', {}, 'getmore')).toBeUndefined();
});
