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

/** Access requests from their creation to `completed` as GET shows it, at the highest rate that all five services keep up with. */
export async function measureLives(rig: Rig): Promise<FormResult['lives']> {
  return withService(rig, settings, async ({ stores }) => {
    const readStores = () => readStoresUse({ stores, brokers: rig.brokers });
    // Each process gets faster in its first seconds, so more of them need longer.
    for (let warmUps = 0; warmUps < rig.replicas; warmUps += 1) await hold(rig, rateSteps.firstPerSecond);
    await untilIdle(LONGEST_SETTLE_MS);
    const before = await readStores();
    let lived = 0;
    const highest = await highestKept(async (perSecond) => {
      const held = await hold(rig, perSecond);
      lived += held.admitted;
      return held;
    }, rateSteps);
    await untilIdle(LONGEST_SETTLE_MS);
    return highest ? { ...highest.measured, stores: useOfEach(before, await readStores(), lived) } : null;
  });
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
