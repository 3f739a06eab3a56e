import type { Connection } from './connections';

/** What came of so many calls. */
export interface Sent {
  /** How often each status came. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly elapsedMs: number;
}

/** Makes so many calls, on every connection the next as soon as the last is answered. */
export async function callAll(
  connections: readonly Connection[],
  count: number,
  call: (connection: Connection, n: number) => Promise<{ readonly status: number }>,
): Promise<Sent> {
  const statuses: Record<number, number> = {};
  let next = 0;
  const begin = performance.now();
  const worker = async (connection: Connection): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const { status } = await call(connection, n);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(connections.map(worker));
  return { statuses, elapsedMs: performance.now() - begin };
}
