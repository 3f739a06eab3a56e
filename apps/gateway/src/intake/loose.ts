import { enoughFaults, isObject, type Fault } from '@opendsr-service/edge';

/** Fields of JSON of which nothing is known yet: any may be missing, or be anything. */
export type Loose<T> = { readonly [K in keyof T]?: unknown };

/** The fields of a JSON object; undefined: it is none. */
export const fieldsOf = <T>(json: unknown): Loose<T> | undefined => (isObject(json) ? json : undefined);

/** The elements of a list, none of what is no list. */
export const elementsOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);

/** Whether nothing was given: clients leave a field out, send null, or an empty list. */
export const isNothing = (json: unknown): boolean =>
  json === undefined || json === null || (Array.isArray(json) && json.length === 0);

/** What is read from each element of a list, as long as an answer has room for more faults. */
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
