import { setTimeout as sleep } from 'node:timers/promises';
import { defaultLimits } from '@opendsr-service/edge';
import { OVERLOAD_FACTOR, type OverloadMeasured } from './overload-result';
import { connectionsTo, withService, type Rig } from './rig';
import { untilIdle } from './settle';
import { memoryMiBOf } from './watch-processes';

const LOOK_MS = 200;
/** So many calls at the same time saturate the service: it makes more of each write to its stores then. */
const CONNECTIONS = defaultLimits.calls;
const LONGEST_START_MS = 20_000;
const LONGEST_SETTLE_MS = 120_000;

/** Nothing starts while it is measured. Connections are many: how many calls are worked on is what is limited. */
const settings = { TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1h', HTTP_CONNECTIONS_PER_ADDRESS_LIMIT: '0' };

/** Creates at three times the rate that saturates the form, whatever it answers. */
export async function measureOverload(rig: Rig): Promise<OverloadMeasured> {
  const { generator, windowMs, say } = rig;
  return withService(rig, settings, async (service) => {
    await generator.ask('connect', connectionsTo(service, CONNECTIONS));
    await untilIdle(LONGEST_START_MS);
    const { perSecond } = await generator.ask('creates', { durationMs: windowMs });
    await untilIdle(LONGEST_SETTLE_MS);
    say(`overload: ${perSecond.toFixed(0)} a second saturate`);
    const { pid } = service.parts().find(({ name }) => /^(gateway|standalone)/.test(name)) ?? { pid: 0 };
    const before = await rssMiBOf(pid);
    const { done, rssMiB } = await watchRss(pid, () =>
      generator.ask('overload', { perSecond: OVERLOAD_FACTOR * perSecond, durationMs: windowMs }),
    );
    return {
      ...done,
      saturatingPerSecond: perSecond,
      seconds: windowMs / 1_000,
      rssMiB: { before, ...halves(rssMiB) },
    };
  });
}

async function watchRss<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly rssMiB: readonly number[] }> {
  const rssMiB: number[] = [];
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(LOOK_MS)) rssMiB.push(await rssMiBOf(pid));
  })();
  try {
    return { done: await work(), rssMiB };
  } finally {
    over.abort();
    await watching;
  }
}

/** 0 where the service ended meanwhile. */
const rssMiBOf = (pid: number): Promise<number> => memoryMiBOf(pid, 'VmRSS').catch(() => 0);

const halves = (rssMiB: readonly number[]): { readonly firstHalf: number; readonly secondHalf: number } => {
  const middle = Math.ceil(rssMiB.length / 2);
  return { firstHalf: Math.max(...rssMiB.slice(0, middle)), secondHalf: Math.max(...rssMiB.slice(middle)) };
};
