import { losslessJson } from './lossless';

export type Attributes = Readonly<Record<string, unknown>>;

/**
 * Later values replace earlier ones; null removes an attribute. Idempotent. `refused`: indexes. A change that adds no
 * bytes is always merged, so that a profile above a lowered limit can shrink. The profile is read and built once, because
 * one of 100,000 attributes takes a third of a second.
 */
export function mergeWithin(
  limitBytes: number,
  before: Attributes,
  received: readonly Attributes[],
): { readonly attributes: Attributes; readonly refused: ReadonlySet<number> } {
  const sizes = new Map(Object.entries(before).map(([name, value]) => [name, bytesOf(name, value)]));
  let bytes = [...sizes.values()].reduce((sum, size) => sum + size, BRACKET_BYTES);
  const attributes = new Map(Object.entries(before));
  const refused = new Set<number>();
  for (const [n, one] of received.entries()) {
    const changes = Object.entries(one).map(([name, value]) => ({ name, value, size: bytesOf(name, value) }));
    const after = changes.reduce((sum, { name, size }) => sum + size - (sizes.get(name) ?? 0), bytes);
    if (after > limitBytes && after > bytes) {
      refused.add(n);
      continue;
    }
    bytes = after;
    for (const { name, value, size } of changes) {
      sizes.set(name, size);
      if (value === null) attributes.delete(name);
      else attributes.set(name, value);
    }
  }
  return { attributes: Object.fromEntries(attributes), refused };
}

/** Half of `{}`: each attribute counts its comma, and one comma is absent. */
const BRACKET_BYTES = 1;

const bytesOf = (name: string, value: unknown): number =>
  value === null ? 0 : Buffer.byteLength(losslessJson({ [name]: value })) - 1;
