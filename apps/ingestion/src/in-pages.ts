/** The embedded store seeks each of a list only up to 256 of them; and no query should hold up the others for long. */
export const PAGE = 200;

/** The list in parts that a store looks up at once. */
export function inPages<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / PAGE) }, (_, n) => list.slice(n * PAGE, (n + 1) * PAGE));
}

/** What `find` answers for each part, in one list. */
export async function findInPages<T, Found>(
  list: readonly T[],
  find: (page: T[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const page of inPages(list)) found.push(...(await find(page)));
  return found;
}
