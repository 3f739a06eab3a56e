import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';

type Tree = Map<string, Tree | undefined>;
export type Projection = (doc: Doc) => Doc;

function isKept(path: string, value: unknown): boolean {
  if ((value !== 1 && value !== 0) || path.split('.').some((part) => part.startsWith('$')))
    throw new EmbeddedUnsupported(`a projection that computes '${path}'`);
  return value === 1;
}

function grow(tree: Tree, [head, ...rest]: readonly string[]): void {
  if (head === undefined) return;
  if (rest.length === 0) {
    if (tree.has(head)) throw badValue('Path collision in a projection');
    tree.set(head, undefined);
    return;
  }
  if (tree.has(head) && !tree.get(head)) throw badValue('Path collision in a projection');
  const inner = tree.get(head) ?? new Map<string, Tree | undefined>();
  tree.set(head, inner);
  grow(inner, rest);
}

/** A path continues only through objects, or elements of an array that are objects. */
function pick(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value))
    return value.map((element) => pick(element, tree)).filter((element) => element !== undefined);
  if (!isPlainObject(value)) return undefined;
  const picked: Doc = {};
  for (const [name, inner] of Object.entries(value)) {
    if (!tree.has(name)) continue;
    const deeper = tree.get(name);
    const kept = deeper ? pick(inner, deeper) : inner;
    if (kept !== undefined) picked[name] = kept;
  }
  return picked;
}

function drop(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((element) => drop(element, tree));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !tree.has(name) || tree.get(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, tree.has(name) ? drop(inner, tree.get(name) as Tree) : inner]),
  );
}

export function compileProjection(spec: unknown): Projection | undefined {
  if (!isPlainObject(spec) || Object.keys(spec).length === 0) return undefined;
  const fields = Object.entries(spec).map(([path, value]) => [path, isKept(path, value)] as const);
  const id = fields.find(([path]) => path === '_id')?.[1];
  const others = fields.filter(([path]) => path !== '_id');
  const including = others[0]?.[1] ?? id ?? false;
  if (others.some(([, keep]) => keep !== including))
    throw badValue('Cannot mix inclusion and exclusion in a projection');
  const tree: Tree = new Map();
  others.forEach(([path]) => grow(tree, path.split('.')));
  if (including ? id !== false : id === false) tree.set('_id', undefined);
  return (doc) => (including ? pick(doc, tree) : drop(doc, tree)) as Doc;
}
