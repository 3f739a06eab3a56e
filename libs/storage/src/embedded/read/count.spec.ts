import { indexFrom, idIndex } from '../index/definition';
import { coveringIndex } from './count';
import { queryFrom } from './query';

const spec = (key: Record<string, 1 | -1>, partialFilterExpression?: Record<string, unknown>) => ({
  ...{ v: 2 as const, key, name: Object.keys(key).join(' ') },
  ...(partialFilterExpression && { partialFilterExpression }),
});
const OPEN = { status: { $gte: 'in_progress' } };
const indexes = [
  idIndex,
  indexFrom(spec({ status: 1, type: 1 }, OPEN), 1),
  indexFrom(spec({ dueBy: 1, _id: 1 }, OPEN), 2),
  indexFrom(spec({ ws: 1, at: -1 }), 3),
  indexFrom(spec({ failing: 1 }, { failing: { $exists: true } }), 4),
];
const [from, to] = [new Date(1), new Date(2)];

it.each<[object, string | undefined]>([
  [{ ...OPEN, dueBy: { $gte: from, $lt: to } }, 'dueBy _id'],
  [{ status: 'pending' }, 'status type'],
  [{ status: 'pending', type: 'erasure' }, 'status type'],
  [{ ws: 'acme', at: { $gt: from } }, 'ws at'],
  [{ ws: 'acme' }, 'ws at'],
  [{ failing: true }, 'failing'],
  // Less than the keys hold.
  [{}, 'ws at'],
  // More than they hold, or what they do not hold exactly.
  [{ ws: 'acme', at: { $gt: from }, type: 'erasure' }, undefined],
  [{ status: 'completed' }, undefined],
  [{ at: { $gt: from } }, undefined],
  [{ ws: 'acme', at: { $gt: 1 } }, undefined],
  [{ ws: 'acme', at: { $gt: from, $gte: to } }, undefined],
  [{ ws: null }, undefined],
  [{ ws: { $in: ['acme'] } }, undefined],
  [{ $or: [{ ws: 'acme' }] }, undefined],
  [{ dueBy: { $gte: from } }, undefined],
])('counts %j by the keys of an index that says all of it', (filter, name) => {
  expect(coveringIndex(indexes, queryFrom(filter))?.spec.name).toBe(name);
});
