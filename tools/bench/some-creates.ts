import type { Connection } from './connections';
import { requestMaker } from './request-body';

/** Where the callbacks of new requests go, in turn; the time of the creation and the request's id are put behind. */
export interface CallbackTargets {
  readonly bases: readonly string[];
}

/** What came of so many creates. */
export interface Created {
  readonly statuses: Readonly<Record<number, number>>;
  /** How many were admitted, by where their callbacks go. */
  readonly admitted: readonly number[];
}

/** Creates so many requests, on every connection the next as soon as the last is answered. */
export async function createSome(
  connections: readonly Connection[],
  { bases }: CallbackTargets,
  count: number,
): Promise<Created> {
  const statuses: Record<number, number> = {};
  const admitted = bases.map(() => 0);
  let next = 0;
  const worker = async (connection: Connection): Promise<void> => {
    while (next < count) {
      const target = next++ % bases.length;
      const make = requestMaker(new Date(), {
        callbackUrl: (id) => `${bases[target] ?? ''}/${String(Date.now())}/${id}`,
      });
      const { status } = await connection.call('POST', '/v2/requests', make().body);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 201) admitted[target] = (admitted[target] ?? 0) + 1;
    }
  };
  await Promise.all(connections.map(worker));
  return { statuses, admitted };
}
