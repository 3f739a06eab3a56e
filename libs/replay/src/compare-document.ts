import { isDeepStrictEqual } from 'node:util';
import type { DocumentPair } from './id-order';
import type { Difference, Facts, FoldContext, Projection, StoredDocument } from './projection';

/** `older`: not comparable; `document`: the one to write. */
export type DocumentComparison<D> = 'same' | 'older' | { readonly difference: Difference; readonly document?: D };

interface ComparisonContext {
  readonly tools: FoldContext;
  /** The begin of the log; undefined: nothing of it was deleted. */
  readonly since: Date | undefined;
}

export function compareDocument<D extends StoredDocument>(
  projection: Projection<D>,
  [present, folded]: DocumentPair<D>,
  { tools, since }: ComparisonContext,
): DocumentComparison<D> {
  if (folded === null) return present ? compareUnknown(projection, present, since) : 'same';
  if (projection.facts(folded) === undefined) return 'older';
  if (present && projection.isBeyond?.(present, folded)) {
    return {
      difference: {
        id: present._id,
        kind: 'beyond the log',
        what: differing(projection.facts(present), projection.facts(folded)),
      },
    };
  }
  const document = projection.merge(present, folded, tools);
  if (!present) return { difference: { id: document._id, kind: 'missing', what: [] }, document };
  const what = differing(projection.facts(present), projection.facts(document));
  return what.length === 0 ? 'same' : { difference: { id: present._id, kind: 'differs', what }, document };
}

function compareUnknown<D extends StoredDocument>(
  projection: Projection<D>,
  present: D,
  since: Date | undefined,
): DocumentComparison<D> {
  if (projection.isAhead?.(present)) return 'same';
  const isOlder = since !== undefined && (projection.mayPrecede?.(present, since) ?? true);
  return isOlder || projection.facts(present) === undefined
    ? 'older'
    : { difference: { id: present._id, kind: 'surplus', what: [] } };
}

function differing(one: Facts = {}, other: Facts = {}): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => !isDeepStrictEqual(one[name], other[name]))
    .sort();
}
