import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, pathNotViable } from '../errors';

type Container = Doc | unknown[];

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isPlainObject(value);
const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);
const maxPadding = 1_500_000;

function readIn(container: Container, part: string): unknown {
  if (!Array.isArray(container)) return container[part];
  return isIndex(part) ? container[Number(part)] : undefined;
}

function writeIn(container: Container, part: string, value: unknown): void {
  if (!Array.isArray(container)) {
    container[part] = value;
    return;
  }
  if (!isIndex(part)) throw pathNotViable(`Cannot create field '${part}' in an array`);
  const at = Number(part);
  if (at - container.length > maxPadding) throw badValue('can not backfill an array so far');
  while (container.length < at) container.push(null);
  container[at] = value;
}

/** What one operator does at one field. */
export type Change = (field: FieldPath) => void;

/** The field that a path names inside of one document. */
export class FieldPath {
  constructor(
    private readonly doc: Doc,
    private readonly path: readonly string[],
  ) {}

  get(): unknown {
    let value: unknown = this.doc;
    for (const part of this.path) {
      if (!isContainer(value)) return undefined;
      value = readIn(value, part);
    }
    return value;
  }

  /** The value at the path; undefined where a field on the way is missing. */
  getStrict(): unknown {
    let value: unknown = this.doc;
    for (const part of this.path) {
      if (value === undefined) return undefined;
      if (!isContainer(value) || (Array.isArray(value) && !isIndex(part)))
        throw pathNotViable(`Cannot use the part '${part}' to traverse a value`);
      value = readIn(value, part);
    }
    return value;
  }

  /** Creates missing containers on the path. Throws where another value blocks it. */
  set(value: unknown): void {
    let container: Container = this.doc;
    for (const part of this.path.slice(0, -1)) {
      let next = readIn(container, part);
      if (next === undefined) writeIn(container, part, (next = {}));
      if (!isContainer(next)) throw pathNotViable(`Cannot create a field inside of '${part}', which is not an object`);
      container = next;
    }
    writeIn(container, this.path.at(-1) as string, value);
  }

  /** An element of an array becomes null, so that later elements keep their index. */
  unset(): void {
    const last = this.path.at(-1) as string;
    const parent = this.path.length === 1 ? this.doc : new FieldPath(this.doc, this.path.slice(0, -1)).get();
    if (Array.isArray(parent)) {
      if (isIndex(last) && Number(last) < parent.length) parent[Number(last)] = null;
    } else if (isPlainObject(parent)) delete parent[last];
  }
}
