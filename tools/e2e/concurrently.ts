/** Does work for every item, with limited concurrency, and returns the results in order. */
export async function concurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, n: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [n, item] of rest) results[n] = await work(item, n);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
