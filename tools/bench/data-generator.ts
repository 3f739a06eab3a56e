import { batchBody, identifyBody } from './batch-body';
import { openConnections, type Connection, type ConnectionsOptions } from './connections';
import { callAll, type Sent } from './call-all';
import { answerTasks } from './helper-process';
import { spreadOf, type Spread } from './statistics';

let connections: Connection[] = [];

async function connect(options: ConnectionsOptions): Promise<void> {
  await Promise.all(connections.map((connection) => connection.close()));
  connections = openConnections(options);
}

const customerOf = (prefix: string, n: number): string => `${prefix}-${String(n)}`;

/** Ingests customers, so that later calls find them. */
const identify = ({ prefix, count }: { readonly prefix: string; readonly count: number }) =>
  callAll(connections, count, (connection, n) =>
    connection.call('POST', '/v1/identify', identifyBody(customerOf(prefix, n))),
  );

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
  callAll(connections, count, (connection, n) =>
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
  return callAll(connections, Math.ceil(count / perCall), (connection, n) =>
    connection.call('POST', '/v2/bulkevents', body(n)),
  );
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
  const sent = await callAll(connections.slice(0, 1), count, async (connection, n) => {
    const begin = performance.now();
    const body = identifyBody(customerOf(prefix, (n * 7919) % customers));
    const answer = await connection.call('POST', '/v1/search', body);
    latenciesMs.push(performance.now() - begin);
    return answer;
  });
  return { ...sent, spread: spreadOf(latenciesMs) };
}

const tasks = { connect, identify, batches, fill, lookups };
export type DataTasks = typeof tasks;

answerTasks(tasks);
