import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../receiver/until';
import { lagsFromCreation, lagsFromOwnTick, tickAfter, timesEach } from './arrivals';
import type { CallbackRig, WithTick } from './callback-rig';
import type { DelayMeasured } from './callbacks-result';
import { statusFaults } from './rig';
import { untilIdle } from './settle';

const TICK_MS = 1_000;
const PER_SECOND = 10;
const RECEIVERS = 10;
/** Requests are created in this part of each second, away from the ticks at both ends, so that it is known which tick each is due on. */
const FROM_MS = 100;
const APART_MS = 50;
const WARM_UP_TICKS = 5;
const ALL_MS = 10_000;
const LONGEST_START_MS = 20_000;

/** Few callbacks, with a tick a second: how long after its tick each arrives. */
export function measureDelay(rig: CallbackRig, withTick: WithTick<DelayMeasured>): Promise<DelayMeasured> {
  const { receivers, generator, tls, hosts, windowMs } = rig;
  return withTick(TICK_MS, async (service) => {
    const bases = await receivers.ask('open', {
      living: hosts.slice(0, RECEIVERS),
      silent: undefined,
      tls,
      trust: service.trust,
    });
    await untilIdle(LONGEST_START_MS);
    const seconds = async (count: number): Promise<Record<number, number>> => {
      const statuses: Record<number, number> = {};
      for (let n = 0; n < count * PER_SECOND; n += 1) {
        if (n % PER_SECOND === 0) await sleep(tickAfter(Date.now(), TICK_MS) + FROM_MS - Date.now());
        const made = await generator.ask('backlog', { bases: [bases[n % bases.length] ?? ''], count: 1 });
        for (const [status, times] of Object.entries(made.statuses))
          statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
        await sleep(APART_MS);
      }
      return statuses;
    };
    const arrived = async (count: number) => {
      await until('all callbacks', async () => (await receivers.ask('count', undefined)) >= count, ALL_MS).catch(
        () => undefined,
      );
      return receivers.ask('look', undefined);
    };
    await seconds(WARM_UP_TICKS);
    await arrived(WARM_UP_TICKS * PER_SECOND);
    const statuses = await seconds(Math.ceil(windowMs / TICK_MS));
    const { arrivals, faults } = await arrived(statuses[201] ?? 0);
    const missing = (statuses[201] ?? 0) - arrivals.length;
    const fromTick = lagsFromOwnTick(arrivals, TICK_MS);
    rig.say(`callbacks: at light load ${fromTick?.p99Ms.toFixed(0) ?? '-'} ms after the tick (p99)`);
    return {
      perSecond: PER_SECOND,
      delivered: arrivals.length,
      fromTick,
      fromChange: lagsFromCreation(arrivals),
      faults: [
        ...statusFaults(statuses, 201),
        ...timesEach(faults),
        ...(missing > 0 ? [`${String(missing)} did not come`] : []),
      ],
    };
  });
}
