import { enoughFaults, isObject, type Fault } from '@opendsr-service/edge';

/** Unvalidated fields: any may be missing or of any type. */
export type Loose<T> = { readonly [K in keyof T]?: unknown };

export const fieldsOf = <T>(json: unknown): Loose<T> | undefined => (isObject(json) ? json : undefined);

export const elementsOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);

/** Clients omit a field, or send null or an empty list. */
export const isNothing = (json: unknown): boolean =>
  json === undefined || json === null || (Array.isArray(json) && json.length === 0);

/** Stops once an answer has no room for more faults. */
export function readEach<T>(
  list: unknown,
  faults: readonly Fault[],
  read: (element: unknown, n: number) => readonly T[],
): T[] {
  const found: T[] = [];
  for (const [n, element] of elementsOf(list).entries()) {
    if (faults.length >= enoughFaults) break;
    found.push(...read(element, n));
  }
  return found;
}
