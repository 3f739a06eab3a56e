import { setTimeout as sleep } from 'node:timers/promises';
import { withCpu, withService, type Rig } from './rig';
import { untilIdle } from './settle';

const LONGEST_START_MS = 20_000;
/** V8 collects the garbage of a start some 10 to 20 s later, once: no cost of an idle second. */
const REST_MS = 30_000;

/** CPU milliseconds a second of each part while nobody calls. */
export function measureIdle(rig: Rig): Promise<Record<string, number>> {
  const { windowMs, say } = rig;
  return withService(rig, { TIMING_PROFILE: 'sandbox' }, async () => {
    await untilIdle(LONGEST_START_MS);
    await sleep(REST_MS);
    say('idle');
    const idle = await withCpu(async () => {
      await sleep(windowMs);
      return {};
    });
    return idle.cpuMsFor(windowMs / 1_000);
  });
}
