/** Faults of settings that only some processes require. */
export const checkRequired = <K extends string>(
  values: Readonly<Partial<Record<K, unknown>>>,
  names: readonly K[],
): string[] => names.filter((name) => values[name] === undefined).map((name) => `${name}: must be set`);
