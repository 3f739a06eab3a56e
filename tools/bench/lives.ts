import { highestKept } from './highest-rate';
import { drainMs, isKept, rateSteps, stepMs } from './held-rate';
import { cpuMsOfService, type FormResult } from './result';
import { statusFaults, withCpu, withService, type Rig } from './rig';
import { untilIdle } from './settle';
import { readStoresUse, useOfEach } from './stores-use';
import { spreadOf } from './statistics';

const LONGEST_SETTLE_MS = 120_000;
/** The sandbox's own times, but a life waits no longer than a second before it starts. */
const settings = { TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1s' };

/**
 * Access requests from their creation to `completed` as GET shows it, at the highest rate that all five services keep up
 * with, or at the rate that was asked for.
 */
export async function measureLives(rig: Rig): Promise<FormResult['lives']> {
  return withService(rig, settings, async ({ stores }) => {
    const readStores = () => readStoresUse({ stores, brokers: rig.brokers });
    await warmUp(rig);
    await untilIdle(LONGEST_SETTLE_MS);
    const before = await readStores();
    let lived = 0;
    const holdCounted = async (perSecond: number) => {
      const held = await hold(rig, perSecond);
      lived += held.admitted;
      return held;
    };
    const highest =
      rig.livesPerSecond === undefined
        ? await highestKept(holdCounted, rateSteps)
        : await holdCounted(rig.livesPerSecond);
    await untilIdle(LONGEST_SETTLE_MS);
    return highest ? { ...highest.measured, stores: useOfEach(before, await readStores(), lived) } : null;
  });
}

/** Alike for all numbers of processes, so that what one life costs can be compared; each of four needs four times as long. */
const WARM_UPS_TO_COMPARE = 8;

/** Each process gets faster in its first seconds, so more of them need longer. */
async function warmUp(rig: Rig): Promise<void> {
  const { livesPerSecond: wanted, replicas } = rig;
  const [rate, times] = wanted === undefined ? [rateSteps.firstPerSecond, replicas] : [wanted, WARM_UPS_TO_COMPARE];
  for (let warmUps = 0; warmUps < times; warmUps += 1) await hold(rig, rate);
}

async function hold({ generator, windowMs, say }: Rig, perSecond: number) {
  const durationMs = stepMs(windowMs);
  const held = await withCpu(() => generator.ask('hold', { perSecond, durationMs, followMs: drainMs(windowMs) }));
  const kept = isKept(held, durationMs);
  const cpuMsEach = held.cpuMsFor(held.admitted);
  const cpuMs = cpuMsOfService(cpuMsEach)?.toFixed(1) ?? '?';
  say(`lives: ${String(perSecond)} a second ${kept ? 'are kept' : 'are too many'}, ${cpuMs} CPU ms each`);
  return {
    admitted: held.admitted,
    kept,
    drained: held.unfinished === 0,
    measured: {
      perSecond: (held.admitted / durationMs) * 1000,
      spread: spreadOf(held.lags.map(({ lagMs }) => lagMs)),
      faults: statusFaults(held.errors),
      cpuMsEach,
    },
  };
}
