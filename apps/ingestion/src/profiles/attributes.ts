export type Attributes = Readonly<Record<string, unknown>>;

/** Later values take the place of earlier ones; null takes an attribute away. Doing it twice changes nothing. */
export function mergeAttributes(before: Attributes, received: Attributes): Attributes {
  return Object.fromEntries(Object.entries({ ...before, ...received }).filter(([, value]) => value !== null));
}
