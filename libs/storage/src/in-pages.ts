/** The embedded store uses its index for lists of up to 256, and no query should block the others for long. */
const PAGE = 200;

/** The list in pieces of at most `size` elements. */
export function inPages<T>(list: readonly T[], size = PAGE): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** All that `find` finds for the pages of the list, one page after the other. */
export async function findInPages<T, Found>(
  list: readonly T[],
  find: (page: T[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const page of inPages(list)) for (const one of await find(page)) found.push(one);
  return found;
}
