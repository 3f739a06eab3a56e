import { isDeepStrictEqual } from 'node:util';
import type { DocumentPair } from './id-order';
import type { Difference, Facts, FoldContext, Projection, StoredDocument } from './projection';

/** The result for one document: as in the log, not comparable, or different. `document` is what has to be written. */
export type DocumentComparison<D> = 'same' | 'older' | { readonly difference: Difference; readonly document?: D };

export interface ComparisonContext {
  readonly tools: FoldContext;
  /** Where the log begins; undefined: nothing of it has been deleted. */
  readonly since: Date | undefined;
}

export function compareDocument<D extends StoredDocument>(
  of: Projection<D>,
  [present, folded]: DocumentPair<D>,
  { tools, since }: ComparisonContext,
): DocumentComparison<D> {
  if (folded === null) return present ? compareUnknown(of, present, since) : 'same';
  if (of.facts(folded) === undefined) return 'older';
  if (present && of.isBeyond?.(present, folded)) {
    return {
      difference: { id: present._id, kind: 'beyond the log', what: differing(of.facts(present), of.facts(folded)) },
    };
  }
  const document = of.merge(present, folded, tools);
  if (!present) return { difference: { id: document._id, kind: 'missing', what: [] }, document };
  const what = differing(of.facts(present), of.facts(document));
  return what.length === 0 ? 'same' : { difference: { id: present._id, kind: 'differs', what }, document };
}

function compareUnknown<D extends StoredDocument>(
  of: Projection<D>,
  present: D,
  since: Date | undefined,
): DocumentComparison<D> {
  if (of.isAhead?.(present)) return 'same';
  const isOlder = since !== undefined && (of.mayPrecede?.(present, since) ?? true);
  return isOlder || of.facts(present) === undefined
    ? 'older'
    : { difference: { id: present._id, kind: 'surplus', what: [] } };
}

function differing(one: Facts = {}, other: Facts = {}): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => !isDeepStrictEqual(one[name], other[name]))
    .sort();
}
