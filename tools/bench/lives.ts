import { highestKept } from './highest-rate';
import { drainMs, isKept, rateSteps, stepMs, type HeldMeasure } from './held-rate';
import type { Measured } from './result';
import { statusFaults, withCpu, withService, type Rig } from './rig';
import { spreadOf } from './statistics';

/** The sandbox's own times, but a life waits no longer than a second before it starts. */
const settings = { TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1s' };

/** Access requests from their creation to `completed` as GET shows it, at the highest rate that all five services keep up with. */
export async function measureLives(rig: Rig): Promise<Measured | null> {
  return withService(rig, settings, async () => {
    await hold(rig, rateSteps.firstPerSecond);
    return (await highestKept((perSecond) => hold(rig, perSecond), rateSteps))?.measured ?? null;
  });
}

async function hold({ generator, windowMs, say }: Rig, perSecond: number): Promise<HeldMeasure> {
  const durationMs = stepMs(windowMs);
  const held = await withCpu(() => generator.ask('hold', { perSecond, durationMs, followMs: drainMs(windowMs) }));
  const kept = isKept(held, durationMs);
  say(`lives: ${String(perSecond)} a second ${kept ? 'are kept' : 'are too many'}`);
  return {
    kept,
    drained: held.unfinished === 0,
    measured: {
      perSecond: (held.admitted / durationMs) * 1000,
      spread: spreadOf(held.lags.map(({ lagMs }) => lagMs)),
      faults: statusFaults(held.errors),
      cpuMsEach: held.cpuMsFor(held.admitted),
    },
  };
}
