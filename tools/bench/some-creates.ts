import { callAll } from './call-all';
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

/** Creates so many requests, as fast as they are answered. */
export async function createSome(
  connections: readonly Connection[],
  { bases }: CallbackTargets,
  count: number,
): Promise<Created> {
  const admitted = bases.map(() => 0);
  const { statuses } = await callAll(connections, count, async (connection, n) => {
    const target = n % bases.length;
    const make = requestMaker(new Date(), {
      callbackUrl: (id) => `${bases[target] ?? ''}/${String(Date.now())}/${id}`,
    });
    const answer = await connection.call('POST', '/v2/requests', make().body);
    if (answer.status === 201) admitted[target] = (admitted[target] ?? 0) + 1;
    return answer;
  });
  return { statuses, admitted };
}
