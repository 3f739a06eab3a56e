/** The filters of a list, as its address holds them. What is not among the names belongs to others. */
export type Filters<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Reads the filters of these names; empty ones are none. */
export function filtersIn<Name extends string>(parameters: URLSearchParams, names: readonly Name[]): Filters<Name> {
  const given = names.map((name): [Name, string] => [name, parameters.get(name)?.trim() ?? '']);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Filters<Name>;
}

/** The address with these filters set; those without a value are removed. */
export function withFilters(
  parameters: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value = ''] of Object.entries(changes))
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
  return next;
}
