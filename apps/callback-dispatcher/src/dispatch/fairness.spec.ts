import { FULL, itInFull } from '@opendsr-service/storage/testing';
import type { ClaimedDestination } from '../destinations/destination';
import { DAY, eachInAWorld, otherSrid, SECOND, type World } from '../testing/world';
import type { SignedCallback } from './callbacks.client';
import { DispatchWorker } from './dispatch.worker';
import type { TryOutcome } from './outcome';

/** More than may be at work at once, of slow hosts and of others. */
const MANY = FULL ? 1_000 : 350;
const OK: TryOutcome = { kind: 'delivered', status: 202, durationMs: 5 };
const REFUSED: TryOutcome = { kind: 'failed', reason: 'unreachable', durationMs: 1 };
const TIMED_OUT: TryOutcome = { kind: 'failed', reason: 'timeout', durationMs: 15_000 };
const LIMITS = {
  concurrency: 64,
  slowConcurrency: 256,
  hostConcurrency: 8,
  slowMs: 100,
  breaker: { failures: 5, pauseMs: SECOND },
  leaseMs: 30 * SECOND,
  tryMs: 17 * SECOND,
};

let world: World;
let admitted: number;
eachInAWorld((opened) => {
  [world, admitted] = [opened, 0];
});

const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

const admit = (count: number, urlOf: (n: number) => string, ws?: string) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      world.admitTo([urlOf(n)], { srid: otherSrid(admitted++), ...(ws !== undefined && { ws }) }),
    ),
  );

/**
 * A dispatcher whose receivers answer as `answer` says; it counts what each host was sent, and which destinations
 * were claimed. Before it learns what a look found, `looked` is waited for.
 */
function dispatching(
  answer: (host: string, callback: SignedCallback) => TryOutcome | Promise<TryOutcome>,
  looked = (): Promise<void> => Promise.resolve(),
) {
  const posted: Record<string, number> = {};
  const claimed: ClaimedDestination[] = [];
  let looks: (() => boolean)[] = [];
  const healthyDone = gate();
  const post = async (callback: SignedCallback): Promise<TryOutcome> => {
    const [host = ''] = new URL(callback.url).hostname.split('.');
    posted[host] = (posted[host] ?? 0) + 1;
    looks = looks.filter((isDone) => !isDone());
    return answer(host, callback);
  };
  const store = Object.assign(Object.create(world.store) as typeof world.store, {
    claimDue: async (...args: Parameters<typeof world.store.claimDue>) => {
      const destinations = await world.store.claimDue(...args);
      claimed.push(...destinations);
      await looked();
      return destinations;
    },
  });
  const worker = new DispatchWorker({
    ...{
      store,
      dependencies: world.dependencies,
      client: { post },
      clock: world.clock,
      times: world.times,
      counts: world.counts,
      hosts: world.hosts,
      log: world.log,
    },
    limits: LIMITS,
  });
  /** Works until so much was sent to the host. */
  const until = async (host: string, count: number) => {
    looks.push(() => {
      const isDone = (posted[host] ?? 0) >= count;
      if (isDone) healthyDone.open();
      return isDone;
    });
    while ((posted[host] ?? 0) < count) if ((await worker.runOnce()) === 0) await healthyDone.opened;
  };
  return { worker, posted, claimed, until };
}

it('hundreds of destinations of a dead and of a silent host do not delay a healthy one beyond its tick', async () => {
  const silent = gate();
  const { worker, posted, claimed, until } = dispatching(async (host) => {
    if (host === 'dead') return REFUSED;
    if (host === 'healthy') return OK;
    await silent.opened;
    return TIMED_OUT;
  });
  await admit(MANY, (n) => `https://slow.example/${n}`);
  await admit(MANY, (n) => `https://dead.example/${n}`);
  // What is due longest is claimed first: the healthy ones stand behind all others.
  world.clock.advance(SECOND);
  await admit(10, (n) => `https://healthy.example/${n}`);
  world.clock.advance(SECOND);
  await until('healthy', 10);
  // The dead host was tried until its breaker opened, one at a time; the silent one once.
  expect(posted).toEqual({ dead: expect.any(Number) as number, slow: 1, healthy: 10 });
  expect(posted['dead']).toBeLessThanOrEqual(5);
  // Nobody was claimed again and again: each destination once, at the most.
  expect(new Set(claimed.map(({ _id }) => _id)).size).toBe(claimed.length);
  silent.open();
  await worker.stop();
});

itInFull('callbacks to a slow host are sent one by one, and none waits for ever', async () => {
  const { worker, posted, until } = dispatching(() => ({ kind: 'delivered', status: 202, durationMs: 5_000 }));
  await admit(30, (n) => `https://slow.example/${n}`);
  world.clock.advance(SECOND);
  await until('slow', 30);
  await worker.idle();
  expect(posted).toEqual({ slow: 30 });
  expect((await world.destinations()).filter(({ pending }) => pending.length > 0)).toEqual([]);
});

it('failures of a host in one workspace do not affect the callbacks of another workspace', async () => {
  const { worker } = dispatching((_host, { ws }) => (ws === 'acme' ? REFUSED : OK));
  await admit(20, (n) => `https://same.example/hang${n}`, 'acme');
  world.clock.advance(SECOND);
  await world.send(worker);
  await admit(5, (n) => `https://same.example/${n}`, 'beta');
  world.clock.advance(SECOND);
  await world.send(worker);
  expect((await world.destinations()).filter(({ ws, pending }) => ws === 'beta' && pending.length > 0)).toEqual([]);
  expect((await world.destinations()).filter(({ ws, pending }) => ws === 'acme' && pending.length > 0)).toHaveLength(
    20,
  );
});

it('a callback delivered after failures brings forward what another process has postponed for its host', async () => {
  const { worker } = dispatching(() => OK);
  await admit(1, () => 'https://back.example/known');
  world.clock.advance(SECOND);
  await world.send(worker);
  await admit(2, (n) => `https://back.example/${n}`);
  const destinations = world.connection.collection('destinations');
  const [failed, postponed] = (await world.destinations()).filter(({ pending }) => pending.length > 0);
  await destinations.updateOne({ _id: failed?._id as never }, { $set: { tries: 2 } });
  const later = new Date(world.clock.now().getTime() + DAY);
  await destinations.updateOne({ _id: postponed?._id as never }, { $set: { postponed: true, dueAt: later } });
  for (let n = 0; n < 2; n += 1) {
    world.clock.advance(SECOND);
    await world.send(worker);
  }
  expect((await world.destinations()).filter(({ pending }) => pending.length > 0)).toEqual([]);
});

itInFull(
  'postponed callbacks of a host are sent at the next tick after it is reachable, before their schedule',
  async () => {
    let isUp = false;
    const { worker, posted } = dispatching(() => (isUp ? OK : REFUSED));
    await admit(5, (n) => `https://down.example/${n}`);
    world.clock.advance(SECOND);
    await world.send(worker);
    await admit(40, (n) => `https://down.example/later${n}`);
    const before = posted['down'];
    // The next sending finds the breaker open; by its schedule each would wait longer and longer.
    for (let n = 0; n < 4; n += 1) {
      world.clock.advance(SECOND);
      await world.send(worker);
    }
    expect((await world.destinations()).filter(({ postponed }) => postponed).length).toBeGreaterThan(35);
    await world.connection
      .collection('destinations')
      .updateMany({ postponed: true }, { $set: { dueAt: new Date(world.clock.now().getTime() + DAY) } });
    isUp = true;
    await admit(1, () => 'https://down.example/probe');
    for (let n = 0; n < 2; n += 1) {
      world.clock.advance(SECOND);
      await world.send(worker);
    }
    expect((await world.destinations()).filter(({ postponed }) => postponed)).toEqual([]);
    expect((posted['down'] ?? 0) - (before ?? 0)).toBeGreaterThan(35);
  },
);

itInFull('a quick-enough host with a long backlog is sent at most its share, and delays no healthy one', async () => {
  const held = gate();
  const { worker, posted, until } = dispatching(async (host) => {
    if (host === 'busy' && (posted['busy'] ?? 0) > 1) await held.opened;
    return OK;
  });
  await admit(MANY, (n) => `https://busy.example/${n}`);
  world.clock.advance(SECOND);
  await admit(10, (n) => `https://healthy.example/${n}`);
  world.clock.advance(SECOND);
  await until('healthy', 10);
  expect(posted['busy']).toBeLessThanOrEqual(1 + 8);
  held.open();
  await worker.stop();
});

itInFull('a hundred unknown silent hosts delay a healthy one only until they are known to be slow', async () => {
  const silent = gate();
  const { worker, posted, until } = dispatching(async (host) => {
    if (host === 'healthy') return OK;
    await silent.opened;
    return TIMED_OUT;
  });
  await admit(300, (n) => `https://silent${n % 100}.example/${n}`);
  world.clock.advance(SECOND);
  await admit(10, (n) => `https://healthy.example/${n}`);
  world.clock.advance(SECOND);
  await until('healthy', 10);
  expect(Object.keys(posted).filter((host) => host !== 'healthy')).toHaveLength(100);
  expect(Math.max(...Object.entries(posted).map(([host, count]) => (host === 'healthy' ? 0 : count)))).toBe(1);
  silent.open();
  await worker.stop();
});

it('due destinations of a full host are claimed again when its last run ends during a query', async () => {
  const held = gate();
  let looks = 0;
  const answer = async (): Promise<TryOutcome> => {
    await held.opened;
    return OK;
  };
  const { worker, posted } = dispatching(answer, async () => {
    looks += 1;
    if (looks < 2) return;
    held.open();
    await worker.idle();
  });
  await admit(2, (n) => `https://one.example/${n}`);
  world.clock.advance(SECOND);
  // Nobody called it yet, so it gets one destination, and is full.
  expect(await worker.runOnce()).toBe(1);
  expect(await worker.runOnce()).toBe(1);
  expect([looks, posted]).toEqual([2, { one: 1 }]);
  expect(await worker.runOnce()).toBe(1);
  await worker.idle();
  expect(posted).toEqual({ one: 2 });
});
