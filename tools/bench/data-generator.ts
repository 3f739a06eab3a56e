import { batchBody, identifyBody } from './batch-body';
import { openConnections, type Connection, type ConnectionsOptions } from './connections';
import { answerTasks } from './helper-process';
import { spreadOf, type Spread } from './statistics';

let connections: Connection[] = [];

async function connect(options: ConnectionsOptions): Promise<void> {
  await Promise.all(connections.map((connection) => connection.close()));
  connections = openConnections(options);
}

interface Sent {
  /** How often each status came. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly elapsedMs: number;
}

const customerOf = (prefix: string, n: number): string => `${prefix}-${String(n)}`;

/** Makes so many calls, as fast as the connections can. */
async function callAll(
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

/** Ingests customers, so that later calls find them. */
const identify = ({ prefix, count }: { readonly prefix: string; readonly count: number }) =>
  callAll(count, (connection, n) => connection.call('POST', '/v1/identify', identifyBody(customerOf(prefix, n))));

/** Batches of known customers in turn. */
const batches = ({
  prefix,
  customers,
  count,
}: {
  readonly prefix: string;
  readonly customers: number;
  readonly count: number;
}) =>
  callAll(count, (connection, n) =>
    connection.call('POST', '/v2/events', batchBody(customerOf(prefix, n % customers), n)),
  );

/** Batches of one customer, many in a call. */
function fill({
  customer,
  batches: count,
  eventsPerBatch,
  perCall,
}: {
  readonly customer: string;
  readonly batches: number;
  readonly eventsPerBatch: number;
  readonly perCall: number;
}) {
  const body = (call: number): string => {
    const inCall = Math.min(perCall, count - call * perCall);
    return `[${Array.from({ length: inCall }, (_, at) => batchBody(customer, (call * perCall + at) * eventsPerBatch, eventsPerBatch)).join(',')}]`;
  };
  return callAll(Math.ceil(count / perCall), (connection, n) => connection.call('POST', '/v2/bulkevents', body(n)));
}

/** Looks up known customers one after the other on one connection. */
async function lookups({
  prefix,
  customers,
  count,
}: {
  readonly prefix: string;
  readonly customers: number;
  readonly count: number;
}): Promise<Sent & { readonly spread: Spread | null }> {
  const latenciesMs: number[] = [];
  const statuses: Record<number, number> = {};
  const begin = performance.now();
  for (let n = 0; n < count; n += 1) {
    const sent = performance.now();
    const { status } = (await connections[0]?.call(
      'POST',
      '/v1/search',
      identifyBody(customerOf(prefix, (n * 7919) % customers)),
    )) ?? { status: 0 };
    latenciesMs.push(performance.now() - sent);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return { statuses, elapsedMs: performance.now() - begin, spread: spreadOf(latenciesMs) };
}

const tasks = { connect, identify, batches, fill, lookups };
export type DataTasks = typeof tasks;

answerTasks(tasks);
