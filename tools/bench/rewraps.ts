// How many data keys a rotation wraps again in a second on one core, how long it holds the event loop, and what calls feel of
// it, beside the same calls without one: it asserts nothing.
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '@opendsr-service/storage';
import { GenerationFiles, KeyRotation, Vault } from '@opendsr-service/vault';

const KEYS = 20_000;
const MINUTE_MS = 60_000;
const QUIET_MS = 3_000;
const BETWEEN_CALLS_MS = 2;
const folder = mkdtempSync(join(tmpdir(), 'rewraps-'));
const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
const storage = await openStorage(
  mongodbUri === undefined ? { dataDir: folder } : { mongodbUri, databasePrefix: `rewraps_${Date.now()}_` },
);
const connection = await storage.database('keys');
const masterKey = createSecretKey(randomBytes(32));
const secrets = new GenerationFiles(join(folder, 'generations'), masterKey);
let now = Date.now();
const clock = () => now;
const vault = new Vault(connection, masterKey, clock, {
  tombstones: { available: true, publish: () => Promise.resolve() },
  generations: secrets,
});
await vault.ready();
for (let n = 0; n < KEYS; n += 100)
  await Promise.all(Array.from({ length: 100 }, () => vault.newKey('bench', 'subject')));
const rotation = new KeyRotation(connection, masterKey, { everyMs: 10 * MINUTE_MS, keepMs: MINUTE_MS, secrets, clock });
for (const ms of [MINUTE_MS, MINUTE_MS, 10 * MINUTE_MS]) {
  now += ms;
  while ((await rotation.runOnce()) > 0);
}
now += MINUTE_MS;

const kids = (await connection.collection<{ _id: string }>('dataKeys').find({}, { limit: 1_000 }).toArray()).map(
  ({ _id }) => _id,
);
const written = (await storage.database('ingestion')).collection<{ _id: string }>('calls');
/** Reads a key from the store and writes a document, as a call with data does. */
async function call(n: number): Promise<void> {
  const reader = new Vault(connection, masterKey, clock, {
    tombstones: { available: true, publish: () => Promise.resolve() },
    generations: secrets,
  });
  await reader.key('bench', kids[n % kids.length] ?? '');
  await written.insertOne({ _id: randomBytes(16).toString('hex') });
}

/** What calls and the event loop took while something else happened. */
async function beside(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const calls: number[] = [];
  let isDone = false;
  const caller = async () => {
    for (let n = 0; !isDone; n++) {
      const asked = performance.now();
      await call(n);
      calls.push(performance.now() - asked);
      await pause(BETWEEN_CALLS_MS);
    }
  };
  delay.enable();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const called = caller();
  await work();
  isDone = true;
  await called;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  calls.sort((one, other) => one - other);
  const at = (part: number) => calls[Math.min(calls.length - 1, Math.floor(calls.length * part))] ?? 0;
  return {
    seconds: (performance.now() - began) / 1_000,
    ownCpuSeconds: (user + system) / 1e6,
    loopDelayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
    calls: calls.length,
    callMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  };
}

await beside(() => pause(QUIET_MS / 3));
const quiet = await beside(() => pause(QUIET_MS));
const rotating = await beside(async () => {
  while ((await rotation.runOnce()) > 0);
});
const keys = await connection.collection('dataKeys').countDocuments({});
console.log(JSON.stringify({ store: storage.kind, keys, quiet, rotating }));
if (mongodbUri !== undefined) await connection.dropDatabase();
await storage.close();
rmSync(folder, { recursive: true });
