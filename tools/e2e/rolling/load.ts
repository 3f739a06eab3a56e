import { setTimeout as sleep } from 'node:timers/promises';
import { V2, type RequestStatus } from '@opendsr-service/contracts';
import { json, send, type StatusRecord } from '../controller';
import { makeCallers, type Callers } from './callers';
import type { Called } from './cluster';
import { liveOnce, visit, type Life } from './lives';

/** How much is asked at a time. */
export interface LoadSize {
  /** Lives of requests, side by side. */
  readonly lives: number;
  /** Readers of statuses and of results, and visitors whose events come in. */
  readonly others: number;
  readonly pauseMs: number;
}

/** A person with a steady flow of batches. */
export interface Visitor {
  readonly email: string;
  /** The numbers of those that were answered with 202. */
  readonly taken: number[];
}

/** The calls to a cluster during a change. */
export interface Load extends Callers {
  readonly lives: readonly Life[];
  readonly visitors: readonly Visitor[];
  /** Results links, with the bytes that they answered first. */
  readonly links: ReadonlyMap<string, Buffer>;
  /** Requests whose status went back from one call to the next. */
  readonly backwards: readonly string[];
  /** Lets everything that runs come to its end, and asks nothing more. */
  stop(): Promise<void>;
}

const order: readonly RequestStatus[] = ['pending', 'in_progress', 'completed', 'cancelled'];
const isEarlier = (one: RequestStatus, other: RequestStatus): boolean => order.indexOf(one) < order.indexOf(other);
const FOLLOWED = 200;

export function startLoad(cluster: Called, { lives: atOnce, others, pauseMs }: LoadSize): Load {
  const callers = makeCallers(cluster);
  const lives: Life[] = [];
  const visitors = Array.from({ length: others }, (_nothing, n): Visitor => ({
    email: `visitor-${String(n)}@${callers.family}.example.com`,
    taken: [],
  }));
  const links = new Map<string, Buffer>();
  const seen = new Map<Life, RequestStatus>();
  const backwards: string[] = [];
  const seenOf = (life: Life): RequestStatus => seen.get(life) ?? 'pending';
  let stopped = false;
  let [begun, turn] = [0, 0];

  const live = async () => {
    const life = await liveOnce(callers, begun++);
    if (life) lives.push(life);
  };
  const read = async (n: number) => {
    const life = lives.at(-1 - (turn++ % Math.min(FOLLOWED, lives.length || 1)));
    if (!life) return;
    // A read that began before another one ended may answer an earlier status after it.
    const before = seenOf(life);
    const answer = await callers.calls.noted('read', [200], () => callers.callerOf(n, life.version).read(life.id));
    if (answer?.status !== 200) return;
    const { request_status: status, results_url: link } = json<StatusRecord>(answer);
    if (isEarlier(status, before)) backwards.push(life.id);
    if (isEarlier(seenOf(life), status)) seen.set(life, status);
    if (link !== null && life.hasData && !links.has(link)) await open(link);
  };
  const open = async (link: string) => {
    const answer = await callers.calls.noted('results', [200], () =>
      send(link, turn % 2 === 0 ? {} : { headers: { connection: 'close' } }),
    );
    if (answer?.status !== 200) return;
    const first = links.get(link) ?? answer.body;
    links.set(link, first);
    if (!first.equals(answer.body)) callers.calls.unbelieved.push('an archive is another one than before');
  };
  const openAgain = async () => {
    const link = [...links.keys()].at(-1 - (turn++ % Math.min(FOLLOWED, links.size || 1)));
    if (link !== undefined) await open(link);
  };
  const visitOnce = async (n: number) => {
    const visitor = visitors[n];
    const number = begun++;
    const answer = await callers.calls.noted('events', [202], () =>
      callers.callerOf(n, V2).ingest('/v2/events', visit(visitor?.email ?? '', number)),
    );
    if (answer?.status === 202) visitor?.taken.push(number);
  };
  const loop = async (work: () => Promise<void>) => {
    while (!stopped) {
      await work();
      await sleep(pauseMs);
    }
  };
  const running = Promise.all([
    ...Array.from({ length: atOnce }, () => loop(live)),
    ...visitors.flatMap((_visitor, n) => [loop(() => visitOnce(n)), loop(() => read(n)), loop(openAgain)]),
  ]);
  return { ...callers, lives, visitors, links, backwards, stop: async () => void ((stopped = true), await running) };
}
