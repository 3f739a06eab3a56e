import type { IndexOptions } from 'mongoose';

export interface IndexShape {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  /** Further options: unique, partial filter. False counts as absent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly isOptional: boolean;
}

/**
 * Option of an index that only some installations need: `ensureIndexes` makes it where the setting asks for it, and tools neither
 * make nor miss it.
 */
export const optionalIndex: IndexOptions & { readonly optional: true } = { optional: true };

/** A difference between an index of a database and its model. */
export interface IndexDifference {
  readonly collection: string;
  readonly index: string;
  /** `undeclared`: no model declares it. It slows each write, and a unique one may refuse writes. */
  readonly kind: 'missing' | 'different' | 'undeclared';
  readonly detail: string;
}

/** Options without effect on an index's behaviour. */
const silent = new Set(['v', 'key', 'name', 'background', 'ns', 'optional']);

/** The index by a listing of a store, or by a model's key and options. */
export function indexShape(
  key: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): IndexShape {
  const named =
    typeof given['name'] === 'string'
      ? given['name']
      : Object.entries(key)
          .map(([path, direction]) => `${path}_${String(direction)}`)
          .join('_');
  const options = Object.entries(given).filter(
    ([name, value]) => !silent.has(name) && value !== undefined && value !== false,
  );
  return { name: named, key, options: Object.fromEntries(options), isOptional: given['optional'] === true };
}

export function compareIndexShapes(
  collection: string,
  declared: readonly IndexShape[],
  present: readonly IndexShape[],
): IndexDifference[] {
  const claimed = new Set<IndexShape>();
  const difference = (index: string, kind: IndexDifference['kind'], detail: string): IndexDifference[] => [
    { collection, index, kind, detail },
  ];
  const differences = declared.flatMap((wanted) => {
    const found =
      present.find(({ name }) => name === wanted.name) ??
      present.find((index) => described(index) === described(wanted));
    if (!found) return wanted.isOptional ? [] : difference(wanted.name, 'missing', `should be ${described(wanted)}`);
    claimed.add(found);
    if (found.name !== wanted.name) return difference(wanted.name, 'different', `is called ${found.name}`);
    if (described(found) === described(wanted)) return [];
    return difference(wanted.name, 'different', `is ${described(found)}, should be ${described(wanted)}`);
  });
  const undeclared = present.filter((index) => !claimed.has(index));
  return [
    ...differences,
    ...undeclared.flatMap((index) => difference(index.name, 'undeclared', `is ${described(index)}`)),
  ];
}

/** The same text for indexes that behave alike: the order of fields counts, that of options does not. */
const described = ({ key, options }: IndexShape): string =>
  [
    JSON.stringify(key),
    ...Object.entries(options)
      .map(([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value)}`))
      .sort(),
  ].join(', ');
