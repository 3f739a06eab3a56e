/** The embedded store uses its index for lists of up to 256, and no query should block the others for long. */
const PAGE = 200;

export function inPages<T>(list: readonly T[], size = PAGE): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

export async function findInPages<T, Found>(
  list: readonly T[],
  find: (page: T[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const page of inPages(list)) found.push(...(await find(page)));
  return found;
}
