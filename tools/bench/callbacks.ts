import type { Service } from '../e2e/service';
import { until } from '../receiver/until';
import type { ReceiverTasks } from './callback-receiver';
import { HelperProcess } from './helper-process';
import { highestKept } from './highest-rate';
import { drainMs, isKept, rateSteps, stepMs, type HeldMeasure } from './held-rate';
import type { Measured } from './result';
import { statusFaults, withCpu, withService, type Rig } from './rig';
import { spreadOf } from './statistics';

/** A tick a second, and no change of status but the creation. */
const settings = { TIMING_PROFILE: 'sandbox', CALLBACK_TICK_MS: '1s', ACCESS_WAIT_MS: '1h' };

/** Callbacks from the creation of their request to their arrival, at the highest rate that the dispatcher keeps up with. */
export async function measureCallbacks(rig: Rig): Promise<Measured | null> {
  const receiver = await HelperProcess.start<ReceiverTasks>('callback-receiver');
  try {
    return await withService(rig, settings, async (service) => {
      const callbackBase = await receiver.ask('listen', service.receiverTls);
      const holdRate = (perSecond: number) => hold({ ...rig, service, receiver, callbackBase }, perSecond);
      await holdRate(rateSteps.firstPerSecond);
      return (await highestKept(holdRate, rateSteps))?.measured ?? null;
    });
  } finally {
    await receiver.stop();
  }
}

interface CallbackRig extends Rig {
  readonly service: Service;
  readonly receiver: HelperProcess<ReceiverTasks>;
  readonly callbackBase: string;
}

async function hold({ generator, receiver, service, callbackBase, windowMs, say }: CallbackRig, perSecond: number): Promise<HeldMeasure> {
  const durationMs = stepMs(windowMs);
  const before = await receiver.ask('count', undefined);
  const fromMs = Date.now();
  const held = await withCpu(async () => {
    const offered = await generator.ask('hold', { perSecond, durationMs, callbackBase });
    const missing = async () => Math.max(offered.admitted + before - (await receiver.ask('count', undefined)), 0);
    await until('all callbacks', async () => (await missing()) === 0, drainMs(windowMs)).catch(() => undefined);
    return { ...offered, unfinished: await missing() };
  });
  const lags = await receiver.ask('lagsSince', { fromMs });
  const { faults } = await receiver.ask('verify', service.trust);
  const kept = isKept({ ...held, lags }, durationMs);
  say(`callbacks: ${String(perSecond)} a second ${kept ? 'are kept' : 'are too many'}`);
  return {
    kept,
    drained: held.unfinished === 0,
    measured: {
      perSecond: (lags.length / durationMs) * 1000,
      spread: spreadOf(lags.map(({ lagMs }) => lagMs)),
      faults: [...statusFaults(held.errors), ...faults],
      cpuMsEach: held.cpuMsFor(lags.length),
    },
  };
}
