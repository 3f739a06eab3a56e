// How many data keys a rotation wraps again in a second on one core, and how long it holds the event loop: it asserts nothing.
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openStorage } from '@opendsr-service/storage';
import { GenerationFiles, KeyRotation, Vault } from '@opendsr-service/vault';

const KEYS = 20_000;
const MINUTE_MS = 60_000;
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
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const [began, cpu] = [performance.now(), process.cpuUsage()];
while ((await rotation.runOnce()) > 0);
const { user, system } = process.cpuUsage(cpu);
delay.disable();
const line = {
  store: storage.kind,
  keys: await connection.collection('dataKeys').countDocuments({}),
  seconds: (performance.now() - began) / 1_000,
  ownCpuSeconds: (user + system) / 1e6,
  loopDelayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
};
console.log(JSON.stringify(line));
if (mongodbUri !== undefined) await connection.dropDatabase();
await storage.close();
rmSync(folder, { recursive: true });
