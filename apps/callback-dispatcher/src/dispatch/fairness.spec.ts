import type { ClaimedLane } from '../lanes/lane';
import { makeIdentity, openWorld, otherSrid, SECOND, type Identity, type World } from '../testing/world';
import type { BuiltCallback } from './callbacks.client';
import { openDispatching } from './dispatch.module';
import type { Outcome } from './outcome';

const MANY = 1_000;
const URLS = { dead: 'https://dead.example/', slow: 'https://slow.example/', healthy: 'https://healthy.example/' };
type Host = keyof typeof URLS;
const hostOf = (url: string) => Object.entries(URLS).find(([, base]) => url.startsWith(base))?.[0] as Host;

let identity: Identity;
let world: World;
beforeAll(async () => { identity = await makeIdentity(new Date()); });
afterAll(() => { identity.remove(); });
beforeEach(async () => { world = await openWorld(identity); });
afterEach(() => world.close());

it('a thousand lanes of a host that is dead and of one that never answers delay no healthy one: it is sent what is due in its tick', async () => {
  const posted: Record<Host, number> = { dead: 0, slow: 0, healthy: 0 };
  const claimed: ClaimedLane[] = [];
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let allHealthy: (() => void) | undefined;
  const healthyDone = new Promise<void>((resolve) => (allHealthy = resolve));
  const post = async ({ url }: BuiltCallback): Promise<Outcome> => {
    const host = hostOf(url);
    posted[host] += 1;
    if (host === 'dead') return { kind: 'failed', reason: 'unreachable', durationMs: 1 };
    if (host === 'healthy') {
      if (posted.healthy === 10) allHealthy?.();
      return { kind: 'delivered', status: 202, durationMs: 5 };
    }
    await released;
    return { kind: 'failed', reason: 'timeout', durationMs: 15_000 };
  };
  const store = Object.assign(Object.create(world.store) as typeof world.store, {
    claimDue: async (...args: Parameters<typeof world.store.claimDue>) => {
      const lanes = await world.store.claimDue(...args);
      claimed.push(...lanes);
      return lanes;
    },
  });
  const worker = openDispatching({
    ...{ store, workshop: world.workshop, client: { post }, clock: world.clock, times: world.times, counts: world.counts, log: world.log },
    limits: { concurrency: 64, hostConcurrency: 8, slowMs: 200, breaker: { failures: 5, pauseMs: SECOND }, leaseMs: 30 * SECOND },
  });
  const admit = (from: number, count: number, url: string) => Promise.all(Array.from({ length: count }, (_, n) => world.admitTo([`${url}${n}`], { srid: otherSrid(from + n) })));
  await admit(0, MANY, URLS.slow);
  await admit(MANY, MANY, URLS.dead);
  // What is due longest is claimed first: the healthy ones stand behind all others.
  world.clock.advance(SECOND);
  await admit(2 * MANY, 10, URLS.healthy);
  world.clock.advance(SECOND);

  let isDone = false;
  void healthyDone.then(() => (isDone = true));
  while (!isDone) if ((await worker.runOnce()) === 0) await healthyDone;
  // The dead host was tried until its breaker opened, by at most as many as may call one host at a time; the slow one by no more than those.
  expect(posted).toEqual({ dead: expect.any(Number) as number, slow: 8, healthy: 10 });
  expect(posted.dead).toBeLessThanOrEqual(5 + 7);
  // Nobody was claimed again and again: each lane once, at the most.
  expect(claimed.length).toBeLessThanOrEqual(2 * MANY + 10);
  expect(new Set(claimed.map(({ _id }) => _id)).size).toBe(claimed.length);

  release?.();
  await worker.stop();
  const { dead, slow } = Object.groupBy(await world.lanes(), ({ srid }) => (Number(srid.slice(-12)) < MANY ? 'slow' : 'dead'));
  // What the breaker kept from the network is put off by the schedule like what failed; what was turned away waits for its host, and failed not.
  expect(dead?.filter(({ pending }) => pending.length > 0).every(({ tries }) => tries === 1)).toBe(true);
  expect(slow?.filter(({ tries }) => tries === 1)).toHaveLength(8);
  expect(world.metric('opendsr_callback_attempts_total')).toMatchObject({ delivered: 10, unreachable: posted.dead + 8, postponed: MANY - posted.dead });
}, 60_000);
