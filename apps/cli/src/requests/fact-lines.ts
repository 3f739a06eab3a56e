/** One line for each fact that exists, with its path. */
export function factLines(facts: unknown, path = ''): string[] {
  if (facts === undefined || facts === null) return [];
  if (facts instanceof Date) return [`${path}  ${facts.toISOString()}`];
  if (Array.isArray(facts)) return facts.flatMap((one, place) => factLines(one, `${path}[${place}]`));
  if (typeof facts === 'object')
    return Object.entries(facts).flatMap(([name, one]) => factLines(one, path === '' ? name : `${path}.${name}`));
  return [`${path}  ${typeof facts === 'string' ? facts : JSON.stringify(facts)}`];
}
