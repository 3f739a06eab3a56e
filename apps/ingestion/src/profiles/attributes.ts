import { losslessJson } from './lossless';

export type Attributes = Readonly<Record<string, unknown>>;

/** Later values take the place of earlier ones; null takes an attribute away. Doing it twice changes nothing. */
export function mergeAttributes(before: Attributes, received: Attributes): Attributes {
  return Object.fromEntries(Object.entries({ ...before, ...received }).filter(([, value]) => value !== null));
}

/**
 * Merges what came in order, except for what would make more than `limitBytes` of JSON of the attributes; `refused` tells by place
 * which that was. What makes them no larger is merged always, so that a profile beyond a lowered limit can shrink.
 */
export function mergeWithin(
  limitBytes: number,
  before: Attributes,
  received: readonly Attributes[],
): { readonly attributes: Attributes; readonly refused: ReadonlySet<number> } {
  const sizes = new Map(Object.entries(before).map(([name, value]) => [name, bytesOf(name, value)]));
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, BRACKET_BYTES);
  let attributes = before;
  const refused = new Set<number>();
  for (const [n, one] of received.entries()) {
    const changes = Object.entries(one).map(([name, value]) => ({ name, size: bytesOf(name, value) }));
    const after = changes.reduce((sum, { name, size }) => sum + size - (sizes.get(name) ?? 0), bytes);
    if (after > limitBytes && after > bytes) {
      refused.add(n);
      continue;
    }
    attributes = mergeAttributes(attributes, one);
    bytes = after;
    for (const { name, size } of changes) sizes.set(name, size);
  }
  return { attributes, refused };
}

/** One of the two around all attributes: each attribute counts a comma with it, and one of these is not there. */
const BRACKET_BYTES = 1;

const bytesOf = (name: string, value: unknown): number =>
  value === null ? 0 : Buffer.byteLength(losslessJson({ [name]: value })) - 1;
