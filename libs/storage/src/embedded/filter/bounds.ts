/** What the filter says of one path on the way to every match: enough to choose an index, never all of the filter. */
export interface Bound {
  readonly in?: readonly unknown[];
  /** Says nothing of whether there is a value at all. */
  readonly notIn?: readonly unknown[];
  readonly lower?: { readonly value: unknown; readonly inclusive: boolean };
  readonly upper?: { readonly value: unknown; readonly inclusive: boolean };
  readonly exists?: true;
}

export type Bounds = Map<string, Bound>;

/** Two conditions on one path: either alone is true of every match, so the first of a kind stays. */
export function addBound(bounds: Bounds, path: string, bound: Bound): void {
  bounds.set(path, { ...bound, ...bounds.get(path) });
}
