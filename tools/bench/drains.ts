import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../e2e/free-ports';
import type { Service } from '../e2e/service';
import { until } from '../receiver/until';
import { lagsFromTick, rateOf, tickAfter, timesEach } from './arrivals';
import type { CallbackRig, WithTick } from './callback-rig';
import type { DrainMeasured } from './callbacks-result';
import { statusFaults, withCpu } from './rig';
import { untilIdle } from './settle';
import { readStoresUse, useOfEach } from './stores-use';

const BACKLOG = 3_000;
const WARM_UP = 500;
/** So much of the time between two ticks may be spent on making a backlog; the rest is for the service to take it in. */
const FILL_SHARE = 0.5;
const DRAIN_MS = 120_000;
const LONGEST_SETTLE_MS = 30_000;
const NEVER_BEFORE_TICK_MS = 250;

interface Wish {
  readonly receivers: number;
  /** Whether the last two of them are dead. */
  readonly dead: boolean;
  readonly count: number;
}

/** One backlog to one receiver and one to fifty of which two are dead, each made between two ticks. The first tick warms up. */
export async function measureDrains(rig: CallbackRig, withTick: WithTick<DrainMeasured[]>): Promise<DrainMeasured[]> {
  const tickMs = Math.max(rig.windowMs, 10_000);
  return withTick(tickMs, async (service) => {
    const parts = { ...rig, service, tickMs };
    const begin = performance.now();
    const warm = await drain(parts, { receivers: 1, dead: false, count: WARM_UP });
    rig.say(
      `callbacks: ${String(warm.measured.delivered)} to warm up, in ${((performance.now() - begin) / 1000).toFixed(0)} s`,
    );
    const count = Math.min(BACKLOG, Math.floor((warm.filledPerSecond * tickMs * FILL_SHARE) / 1000));
    const one = await drain(parts, { receivers: 1, dead: false, count });
    const fifty = await drain(parts, { receivers: rig.hosts.length, dead: true, count });
    return [one.measured, fifty.measured];
  });
}

type DrainRig = CallbackRig & { readonly service: Service; readonly tickMs: number };

async function drain(
  rig: DrainRig,
  { receivers: wanted, dead, count }: Wish,
): Promise<{ readonly measured: DrainMeasured; readonly filledPerSecond: number }> {
  const { generator, receivers, tickMs, say } = rig;
  const { living, bases } = await addresses(rig, wanted, dead);
  await receivers.ask('look', undefined);
  const readStores = () => readStoresUse({ stores: rig.service.stores, brokers: rig.brokers });
  const before = await readStores();
  await sleep(tickAfter(Date.now(), tickMs) - Date.now());
  const begin = performance.now();
  const { statuses, admitted } = await generator.ask('backlog', { bases, count });
  const filledPerSecond = (count / (performance.now() - begin)) * 1000;
  const tickAtMs = tickAfter(Date.now(), tickMs);
  await untilIdle(Math.max(tickAtMs - Date.now() - NEVER_BEFORE_TICK_MS, 0));
  const early = await receivers.ask('count', undefined);
  const expected = admitted.slice(0, living).reduce((sum, each) => sum + each, 0);
  const { cpuMsFor } = await withCpu(async () => {
    const all = async () => (await receivers.ask('count', undefined)) >= expected;
    await until('all callbacks', all, DRAIN_MS).catch(() => undefined);
    return {};
  });
  await untilIdle(LONGEST_SETTLE_MS);
  const after = await readStores();
  const { arrivals, faults } = await receivers.ask('look', undefined);
  const perSecond = rateOf(arrivals);
  say(`callbacks: ${String(arrivals.length)} to ${String(wanted)} receivers, ${perSecond.toFixed(0)} a second`);
  const missing = expected - arrivals.length;
  const measured = {
    receivers: wanted,
    dead: wanted - living,
    perHost: rig.perHost,
    delivered: arrivals.length,
    perSecond,
    spread: lagsFromTick(arrivals, tickAtMs),
    faults: [
      ...statusFaults(statuses, 201),
      ...timesEach(faults),
      ...(early > 0 ? [`${String(early)} came before the tick of the backlog`] : []),
      ...(missing > 0 ? [`${String(missing)} did not come`] : []),
    ],
    cpuMsEach: cpuMsFor(arrivals.length),
    stores: useOfEach(before, after, arrivals.length),
  };
  return { measured, filledPerSecond };
}

/** Opens receivers; of the dead one takes everything and never answers, and behind the other's address nobody listens. */
async function addresses({ receivers, service, tls, hosts }: DrainRig, wanted: number, dead: boolean) {
  const living = hosts.slice(0, dead ? wanted - 2 : wanted);
  const [silent, refusing] = dead ? hosts.slice(living.length, wanted) : [];
  const [port = 0] = await freePorts(1);
  const open = await receivers.ask('open', { living, silent, tls, trust: service.trust });
  return {
    living: living.length,
    bases: [...open, ...(refusing === undefined ? [] : [`https://${refusing}:${String(port)}`])],
  };
}
