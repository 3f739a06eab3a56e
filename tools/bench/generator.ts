import { Follower } from './follower';
import { openConnections, type Connection, type ConnectionsOptions } from './connections';
import { answerTasks } from './helper-process';
import { requestMaker, type MadeRequests } from './request-body';
import { isRefusal, type OverloadCounts } from './overload-result';
import { saturate, type Saturated } from './saturate';
import { createSome, type CallbackTargets, type Created } from './some-creates';
import { holdRate, type Steady } from './steady';
import { spreadOf, type Lag } from './statistics';

const KEPT_IDS = 10_000;
/** So many calls may be under way at the same time; more than the service works on. Load balancers keep theirs open, too. */
const OVERLOAD_CONNECTIONS = 2_000;
const OPENED_AT_ONCE = 20;
const FOLLOWED_PER_SECOND = 10;

export interface HoldInput {
  readonly perSecond: number;
  readonly durationMs: number;
  /** How long to wait for the end of the last lives that are followed; none: lives are not followed. */
  readonly followMs?: number;
}

export type Held = Steady & { readonly lags: readonly Lag[]; readonly unfinished: number };

let opened: ConnectionsOptions | undefined;
let connections: Connection[] = [];
let follower: Connection[] = [];
/** Some of the requests that were admitted, for reading. */
let ids: string[] = [];

async function connect(options: ConnectionsOptions): Promise<void> {
  await Promise.all([...connections, ...follower].map((connection) => connection.close()));
  opened = options;
  connections = openConnections(options);
  follower = openConnections({ ...options, count: 1 });
  ids = [];
}

interface CreatesInput extends Pick<MadeRequests, 'type'> {
  readonly durationMs: number;
}

const creates = ({ durationMs, ...made }: CreatesInput): Promise<Saturated> => {
  const make = requestMaker(new Date(), made);
  let next = 0;
  const call = async (connection: Connection) => {
    const { id, body } = make();
    const answer = await connection.call('POST', '/v2/requests', body);
    if (answer.status === 201) ids[next++ % KEPT_IDS] = id;
    return answer;
  };
  return saturate({ connections, durationMs, wanted: 201, call });
};

const reads = ({ durationMs }: { readonly durationMs: number }): Promise<Saturated> => {
  let next = 0;
  const call = (connection: Connection) => connection.call('GET', `/v2/requests/${ids[next++ % ids.length] ?? ''}`);
  return saturate({ connections, durationMs, wanted: 200, call });
};

/** Reads so many of the requests that were admitted and answers how many of them are there, as they were sent. */
async function sample({
  count,
}: {
  readonly count: number;
}): Promise<{ readonly read: number; readonly stored: number }> {
  const picked = Array.from(
    { length: Math.min(count, ids.length) },
    (_, n) => ids[Math.floor((n * ids.length) / Math.min(count, ids.length))] ?? '',
  );
  let stored = 0;
  for (const id of picked) {
    const { status, body } = (await connections[0]?.call('GET', `/v2/requests/${id}`)) ?? {
      status: 0,
      body: Buffer.alloc(0),
    };
    if (status === 200 && (JSON.parse(body.toString()) as { subject_request_id: string }).subject_request_id === id)
      stored += 1;
  }
  return { read: picked.length, stored };
}

async function hold({ perSecond, durationMs, followMs }: HoldInput): Promise<Held> {
  const make = requestMaker(new Date());
  const watched = follower[0] && followMs !== undefined ? new Follower(follower[0]) : undefined;
  const every = Math.ceil(perSecond / FOLLOWED_PER_SECOND);
  let made = 0;
  const call = async (connection: Connection): Promise<number> => {
    const isFollowed = made++ % every === 0;
    const { id, body } = make();
    const { status } = await connection.call('POST', '/v2/requests', body);
    if (isFollowed && status === 201) watched?.follow(id);
    return status;
  };
  const steady = await holdRate({ connections, perSecond, durationMs, call, wanted: 201 });
  const unfinished = (await watched?.finish(followMs ?? 0)) ?? 0;
  return { ...steady, lags: watched?.lags ?? [], unfinished };
}

/** Creates at a rate that does not wait for answers. */
async function overload({ perSecond, durationMs }: HoldInput): Promise<OverloadCounts> {
  if (!opened) throw new Error('there is no service to call');
  const many = openConnections({ ...opened, count: OVERLOAD_CONNECTIONS });
  const closed = [...many];
  const open = async () => {
    for (let one = closed.pop(); one; one = closed.pop()) await one.call('GET', '/v2/discovery');
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, open));
  const make = requestMaker(new Date());
  const statuses: Record<number, number> = {};
  const [takenMs, refusedMs]: [number[], number[]] = [[], []];
  let [sent, refusedWithoutRetryAfter] = [0, 0];
  const call = async (connection: Connection): Promise<number> => {
    sent += 1;
    const begin = performance.now();
    const { status, retryAfter } = await connection.call('POST', '/v2/requests', make().body);
    if (status === 201 || isRefusal(status)) (status === 201 ? takenMs : refusedMs).push(performance.now() - begin);
    if (isRefusal(status) && !(Number(retryAfter) >= 1)) refusedWithoutRetryAfter += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    return status;
  };
  const { offered } = await holdRate({ connections: many, perSecond, durationMs, call, wanted: 201 });
  await Promise.all(many.map((connection) => connection.close()));
  return {
    offered,
    sent,
    taken: spreadOf(takenMs),
    refused: spreadOf(refusedMs),
    statuses,
    refusedWithoutRetryAfter,
  };
}

/** So many requests as fast as they are answered, each with one callback. */
const backlog = ({ count, ...targets }: CallbackTargets & { readonly count: number }): Promise<Created> =>
  createSome(connections, targets, count);

const tasks = { connect, creates, reads, sample, hold, overload, backlog };
export type GeneratorTasks = typeof tasks;

answerTasks(tasks);
