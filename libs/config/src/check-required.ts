/** Faults of settings that this process cannot do without, though others can. */
export const checkRequired = <K extends string>(
  values: Readonly<Partial<Record<K, unknown>>>,
  names: readonly K[],
): string[] => names.filter((name) => values[name] === undefined).map((name) => `${name}: must be set`);
