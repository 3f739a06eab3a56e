/** The embedded store uses its index for lists of up to 256, and no query should block the others for long. */
const PAGE = 200;

export function inPages<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / PAGE) }, (_, n) => list.slice(n * PAGE, (n + 1) * PAGE));
}

export async function findInPages<T, Found>(
  list: readonly T[],
  find: (page: T[]) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const page of inPages(list)) found.push(...(await find(page)));
  return found;
}
