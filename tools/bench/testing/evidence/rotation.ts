import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { GenerationFiles, KeyRotation, Vault } from '@opendsr-service/vault';
import { spreadOf, type Place } from './place';

const MINUTE_MS = 60_000;
const QUIET_MS = 3_000;
const BETWEEN_CALLS_MS = 2;
const MADE_AT_ONCE = 100;

/**
 * How many data keys a rotation wraps again in a second on one core, how long it holds the event loop, and what calls feel of
 * it, beside the same calls without one.
 */
export async function measureRotation({ storage, folder, cpuOf }: Place, keys: number) {
  const connection = await storage.database('keys');
  const masterKey = createSecretKey(randomBytes(32));
  const secrets = new GenerationFiles(join(folder, 'generations'), masterKey);
  let now = Date.now();
  const clock = () => now;
  const openVault = () =>
    new Vault(connection, masterKey, clock, {
      tombstones: { available: true, publish: () => Promise.resolve() },
      generations: secrets,
    });
  const vault = openVault();
  await vault.ready();
  for (let n = 0; n < keys; n += MADE_AT_ONCE)
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, () => vault.newKey('bench', 'subject')));
  const times = { everyMs: 10 * MINUTE_MS, keepMs: MINUTE_MS };
  const rotation = new KeyRotation(connection, masterKey, { ...times, secrets, clock });
  const rotate = async () => {
    while ((await rotation.runOnce()) > 0);
  };
  for (const ms of [MINUTE_MS, MINUTE_MS, 10 * MINUTE_MS]) {
    now += ms;
    await rotate();
  }
  now += MINUTE_MS;

  const some = await connection.collection<{ _id: string }>('dataKeys').find({}, { limit: 1_000 }).toArray();
  const written = (await storage.database('ingestion')).collection<{ _id: string }>('calls');
  /** Reads a key from the store and writes a document, as a call with data does. */
  async function call(n: number): Promise<void> {
    await openVault().key('bench', some[n % some.length]?._id ?? '');
    await written.insertOne({ _id: randomBytes(16).toString('hex') });
  }
  /** What calls and the event loop took while something else happened. */
  async function beside(work: () => Promise<unknown>) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const calls: number[] = [];
    const over = new AbortController();
    const caller = async () => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const asked = performance.now();
        await call(n);
        calls.push(performance.now() - asked);
        await pause(BETWEEN_CALLS_MS);
      }
    };
    delay.enable();
    const began = performance.now();
    const cpuMs = await cpuOf(async () => {
      const called = caller();
      await work();
      over.abort();
      await called;
    });
    delay.disable();
    return {
      seconds: (performance.now() - began) / 1_000,
      cpuSeconds: cpuMs / 1_000,
      loopDelay: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
      calls: { count: calls.length, ...spreadOf(calls) },
    };
  }

  await beside(() => pause(QUIET_MS / 3));
  const quiet = await beside(() => pause(QUIET_MS));
  // Both measure the same calls; what is left is the rotation's.
  const rotating = await beside(rotate);
  const cpuOfACall = quiet.cpuSeconds / quiet.calls.count;
  const cpuSeconds = rotating.cpuSeconds - cpuOfACall * rotating.calls.count;
  const count = await connection.collection('dataKeys').countDocuments({});
  return { store: storage.kind, keys: count, wrapsPerSecondOfACore: Math.round(count / cpuSeconds), quiet, rotating };
}
