/** Conditions of the filter on one path that every match satisfies: used to choose an index. */
export interface Bound {
  readonly in?: readonly unknown[];
  /** Does not require that a value exists. */
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
