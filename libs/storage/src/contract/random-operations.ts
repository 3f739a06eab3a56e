import mongoose from 'mongoose';
import type { Random } from './random';

const { Binary, ObjectId } = mongoose.mongo;

export type Doc = Record<string, unknown>;

/** Scalars of every kind that the documents of the service hold, few enough to collide often. */
function scalar(random: Random): unknown {
  return random.pick<() => unknown>([
    () => random.below(4),
    () => random.below(4),
    () => random.pick([-1.5, 2.5, 1e12, 0]),
    () => random.pick(['a', 'b', 'ab', 'ü', '']),
    () => random.pick(['a', 'b']),
    () => null,
    () => random.chance(0.5),
    () => new Date(random.below(3) * 1000),
    () => new Binary(Buffer.from([random.below(2), 255])),
    () => new ObjectId(`00000000000000000000000${random.below(3)}`),
  ])();
}

export function value(random: Random, depth = 2): unknown {
  if (depth === 0 || random.chance(0.6)) return scalar(random);
  return random.chance(0.5) ? random.list(3, () => value(random, depth - 1)) : fields(random, depth - 1);
}

function fields(random: Random, depth: number): Doc {
  return Object.fromEntries(random.list(3, () => [random.pick(['x', 'y', 's']), value(random, depth)]));
}

export function document(random: Random, id: unknown): Doc {
  const doc: Doc = { _id: id };
  for (const name of ['p', 'q', 'l', 'o', 'n', 't']) {
    if (random.chance(0.3)) continue;
    if (name === 'n') doc[name] = random.below(5);
    else if (name === 't') doc[name] = new Date(random.below(5) * 1000);
    else if (name === 'l')
      doc[name] = random.list(4, () =>
        random.chance(0.5) ? { s: random.below(4), x: scalar(random) } : value(random, 1),
      );
    else doc[name] = value(random);
  }
  return doc;
}

const paths = [
  'p',
  'q',
  'l',
  'o',
  'n',
  't',
  'l.s',
  'l.x',
  'l.0',
  'l.1',
  'l.0.s',
  'o.x',
  'o.y',
  'o.x.y',
  'p.x',
  'p.0',
  'q.s.x',
  'missing',
  'o.x.0',
];

function condition(random: Random): unknown {
  return random.pick<() => unknown>([
    () => value(random, 1),
    () => value(random, 1),
    () => ({ [random.pick(['$gt', '$gte', '$lt', '$lte', '$ne'])]: value(random, 1) }),
    () => ({ $gte: random.below(3), $lt: random.below(5) }),
    () => ({ [random.pick(['$in', '$nin'])]: random.list(3, () => value(random, 1)) }),
    () => ({ $exists: random.chance(0.5) }),
    () => ({ $size: random.below(3) }),
    () => ({ $not: { [random.pick(['$gt', '$lte', '$size'])]: random.below(3) } }),
  ])();
}

export function filter(random: Random, depth = 1): Doc {
  const result: Doc = {};
  if (random.chance(0.25))
    result['_id'] = random.chance(0.7) ? random.below(12) : { $in: random.list(4, () => random.below(12)) };
  for (const path of random.list(2, () => random.pick(paths))) result[path] = condition(random);
  if (depth > 0 && random.chance(0.2)) {
    result[random.pick(['$and', '$or', '$nor'])] = [
      filter(random, depth - 1),
      ...random.list(1, () => filter(random, depth - 1)),
    ];
  }
  return result;
}

/** A filter that an upsert can begin a document with. */
export function equalities(random: Random): Doc {
  return Object.fromEntries(
    random.list(2, () => [
      random.pick(['n', 't', 'p', 'o.x', 'o.y']),
      random.pick<unknown>([random.below(5), scalar(random), { $gt: 100 }, { $exists: false }]),
    ]),
  );
}

/** How one operator changes one of these paths. */
function modifier(random: Random): [operator: string, operand: unknown] {
  return random.pick<() => [string, unknown]>([
    () => ['$set', value(random, 1)],
    () => ['$set', value(random, 1)],
    () => ['$unset', ''],
    () => ['$inc', random.pick([1, -2, 0.5])],
    () => ['$min', scalar(random)],
    () => ['$setOnInsert', scalar(random)],
    () => ['$push', value(random, 1)],
    () => ['$push', { $each: random.list(3, () => value(random, 1)), $slice: random.pick([-2, 2, 0]) }],
    () => ['$addToSet', value(random, 1)],
    () => ['$addToSet', { $each: random.list(3, () => value(random, 1)) }],
    () => ['$pull', { s: { $lte: random.below(4) } }],
  ])();
}

export function update(random: Random): Doc {
  const result: Record<string, Doc> = {};
  for (let n = 0; n < 1 + random.below(2); n++) {
    const [operator, operand] = modifier(random);
    (result[operator] ??= {})[random.pick(paths.filter((path) => !path.startsWith('missing')))] = operand;
  }
  return result;
}

export const sort = (random: Random): Doc => ({
  [random.pick(['n', 't', 'p', 'o.x'])]: random.pick([1, -1]),
  _id: random.pick([1, -1]),
});

export const projection = (random: Random): Doc =>
  random.pick<Doc>([
    {},
    { n: 1, 'l.s': 1 },
    { 'o.x': 1, _id: 0 },
    { l: 0 },
    { 'l.s': 0, 'o.x': 0 },
    { _id: 0 },
    { 'p.x': 1, q: 1 },
  ]);
