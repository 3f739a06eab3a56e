import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { EmbeddedUnsupported, pathNotViable } from '../errors';

/** What one operator does at one field. */
export type Change = (field: FieldPath) => void;

/** The field that a path names inside of one document. A path through an array is not supported. */
export class FieldPath {
  constructor(
    private readonly doc: Doc,
    private readonly path: readonly string[],
  ) {}

  /** Throws where another value blocks the path. */
  get(): unknown {
    return this.holder('read')?.[this.name];
  }

  /** Creates missing objects on the path. Throws where another value blocks it. */
  set(value: unknown): void {
    const holder = this.holder('write');
    if (holder) holder[this.name] = value;
  }

  unset(): void {
    const holder = this.holder('unset');
    if (holder) delete holder[this.name];
  }

  private get name(): string {
    return this.path.at(-1) as string;
  }

  /** The object that has the field; undefined where there is none, which only `write` makes. */
  private holder(purpose: 'read' | 'write' | 'unset'): Doc | undefined {
    let holder = this.doc;
    for (const part of this.path.slice(0, -1)) {
      if (purpose === 'write' && holder[part] === undefined) holder[part] = {};
      const next = holder[part];
      if (Array.isArray(next)) throw new EmbeddedUnsupported('an update inside of an array by its path');
      if (next === undefined || (purpose === 'unset' && !isPlainObject(next))) return undefined;
      if (!isPlainObject(next))
        throw pathNotViable(`Cannot change a field inside of '${part}', which is not an object`);
      holder = next;
    }
    return holder;
  }
}
