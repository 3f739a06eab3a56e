import { isDeepStrictEqual } from 'node:util';
import type { Pair } from './in-order';
import type { Difference, Facts, FoldTools, Projection, Stored } from './projection';

/** What a look at a document came to: it is as the log has it, it cannot be compared, or it differs. `document` is what has to be written. */
export type Judgement<D> = 'same' | 'older' | { readonly difference: Difference; readonly document?: D };

export interface Measure {
  readonly tools: FoldTools;
  /** Where the log begins; undefined: nothing of it has been deleted. */
  readonly since: Date | undefined;
}

/** Compares the document of one id with what the log says of it. */
export function judge<D extends Stored>(
  of: Projection<D>,
  [present, folded]: Pair<D>,
  { tools, since }: Measure,
): Judgement<D> {
  if (folded === null) return present ? unknown(of, present, since) : 'same';
  if (of.facts(folded) === undefined) return 'older';
  if (present && of.isBeyond?.(present, folded)) {
    return {
      difference: { id: present._id, kind: 'beyond the log', what: differing(of.facts(present), of.facts(folded)) },
    };
  }
  const document = of.merged(present, folded, tools);
  if (!present) return { difference: { id: document._id, kind: 'missing', what: [] }, document };
  const what = differing(of.facts(present), of.facts(document));
  return what.length === 0 ? 'same' : { difference: { id: present._id, kind: 'differs', what }, document };
}

function unknown<D extends Stored>(of: Projection<D>, present: D, since: Date | undefined): Judgement<D> {
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
