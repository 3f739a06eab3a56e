import { isObject } from '@opendsr-service/edge';

/** Fields of JSON of which nothing is known yet: any may be missing, or be anything. */
export type Loose<T> = { readonly [K in keyof T]?: unknown };

/** The fields of a JSON object; undefined: it is none. */
export const fieldsOf = <T>(json: unknown): Loose<T> | undefined => (isObject(json) ? json : undefined);

/** The elements of a list, none of what is no list. */
export const elementsOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);

/** Whether nothing was given: clients leave a field out, send null, or an empty list. */
export const isNothing = (json: unknown): boolean => json === undefined || json === null || (Array.isArray(json) && json.length === 0);

/** The same fields, lists cut one element beyond what they may hold: that one is a fault, and to name a hundred thousand more takes seconds. */
export const withCutLists = <T extends object>(fields: T, longest: number): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]: [string, unknown]) => [name, Array.isArray(value) ? value.slice(0, longest + 1) : value])) as T;
