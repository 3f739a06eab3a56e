import type { GrownMeasured } from './grown-result';
import type { FormResult, Measured } from './result';
import { statusFaults, withCpu, withService, type Rig } from './rig';
import { untilIdle } from './settle';
import { addRequests } from './stored';
import { readStoresUse, useOfEach } from './stores-use';

const SAMPLE = 200;
const LONGEST_SETTLE_MS = 120_000;
/** Consumers find their places and programs load what they load late. */
const LONGEST_START_MS = 20_000;

/** Until then the compilers of a broker take up to a half of what it uses. */
const COMPILED_AFTER_MS = 60_000;

/** Nothing starts while it is measured. */
const settings = { TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1h', ERASURE_WAIT_MS: '1h', PORTABILITY_WAIT_MS: '1h' };

/** Admissions as fast as they are answered, then reads of them. */
export async function measureCreates(rig: Rig, alsoReads: boolean): Promise<Pick<FormResult, 'creates' | 'reads'>> {
  const { generator, windowMs, say } = rig;
  return withService(rig, settings, async ({ stores }) => {
    const readStores = () => readStoresUse({ stores, brokers: rig.brokers });
    await untilIdle(LONGEST_START_MS);
    await generator.ask('creates', { durationMs: Math.min(COMPILED_AFTER_MS, windowMs * 2) });
    await untilIdle(LONGEST_SETTLE_MS);
    const before = await readStores();
    say('creates');
    const created = await withCpu(() => generator.ask('creates', { durationMs: windowMs }));
    const settledS = (await untilIdle(LONGEST_SETTLE_MS)) / 1000;
    const after = await readStores();
    const sampled = await generator.ask('sample', { count: SAMPLE });
    const lost = sampled.read - sampled.stored;
    return {
      creates: {
        perSecond: created.perSecond,
        spread: created.spread,
        faults: [
          ...statusFaults(created.errors),
          ...(lost > 0 ? [`${String(lost)} of ${String(sampled.read)} admitted requests cannot be read`] : []),
        ],
        cpuMsEach: created.cpuMsFor(created.count),
        settledS,
        stores: useOfEach(before, after, created.count),
      },
      reads: alsoReads ? await measureReads(rig) : null,
    };
  });
}

async function measureReads({ generator, windowMs, say }: Rig): Promise<Measured> {
  say('status reads');
  await generator.ask('reads', { durationMs: warmUpMs(windowMs) / 2 });
  const read = await withCpu(() => generator.ask('reads', { durationMs: windowMs }));
  return {
    perSecond: read.perSecond,
    spread: read.spread,
    faults: statusFaults(read.errors),
    cpuMsEach: read.cpuMsFor(read.count),
  };
}

const STEADY_PER_SECOND = 100;

const holder = (generator: Rig['generator']) => (durationMs: number) =>
  generator.ask('hold', { perSecond: STEADY_PER_SECOND, durationMs });

/** At a light load the compilers of Node and of the broker would be busy for a minute. */
async function warmUpForSteady({ generator, windowMs }: Rig): Promise<void> {
  await generator.ask('creates', { durationMs: warmUpMs(windowMs) });
  await untilIdle(LONGEST_SETTLE_MS);
  await holder(generator)(windowMs);
}

/** Admissions at a rate that leaves the processors free: how long an answer takes. */
export function measureSteady(rig: Rig): Promise<Measured> {
  const { generator, windowMs, say } = rig;
  const hold = holder(generator);
  return withService(rig, settings, async () => {
    await untilIdle(LONGEST_START_MS);
    await warmUpForSteady(rig);
    say('creates at a steady rate');
    const held = await withCpu(() => hold(windowMs));
    return {
      perSecond: (held.admitted / windowMs) * 1000,
      spread: held.spread,
      faults: statusFaults(held.errors),
      cpuMsEach: held.cpuMsFor(held.admitted),
    };
  });
}

const FEW = 10_000;
const LONGEST_WRITE_OUT_MS = 600_000;

/** Creates at that rate while few requests are stored, and while many are. */
export function measureGrown(rig: Rig, many: number): Promise<GrownMeasured> {
  const { generator, windowMs, say } = rig;
  const hold = holder(generator);
  return withService(rig, settings, async ({ stores }) => {
    const measured: GrownMeasured[number][] = [];
    await untilIdle(LONGEST_START_MS);
    await warmUpForSteady(rig);
    let stored = 0;
    for (const requests of [FEW, many]) {
      say(`creates beside ${String(requests)} stored requests`);
      await addRequests(stores, requests - stored);
      stored = requests;
      // The store still writes out what was added.
      await untilIdle(LONGEST_WRITE_OUT_MS, ['mongod']);
      await hold(warmUpMs(windowMs));
      const { spread, errors } = await hold(windowMs);
      measured.push({ requests, spread, faults: statusFaults(errors) });
    }
    return measured;
  });
}

/** Programs get faster in their first seconds. */
const warmUpMs = (windowMs: number): number => Math.min(10_000, Math.max(3_000, windowMs / 3));
