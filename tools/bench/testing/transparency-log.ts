// How long a log of a million leaves takes for the checkpoint of a batch of 1,000, for a proof, and for a tile: it asserts
// nothing.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageId, TOPICS } from '@opendsr-service/contracts';
import { openTransparencyLog } from '@opendsr-service/gateway/testing';
import { openLog } from '@opendsr-service/messaging';
import { silentLogger, systemClock } from '@opendsr-service/service';
import { ensureIndexes, openStorage } from '@opendsr-service/storage';
import { tilePath, tilesOf } from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';

const LEAVES = Number(process.env.LEAVES ?? 1_000_000);
const BATCH = 1_000;
const ROUNDS = 30;
const READS = 500;
const PAGE = 2_000;

const folder = mkdtempSync(join(tmpdir(), 'transparency-log-'));
const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
const storage = await openStorage(
  mongodbUri === undefined ? { dataDir: folder } : { mongodbUri, databasePrefix: `log_${Date.now()}_` },
);
const connection = await storage.database('gateway');
const events = await openLog({ embedded: { file: join(folder, 'log.db') } });
await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
const open = () =>
  openTransparencyLog({
    ...{ connection, events, logSigner: testSigner(), witnesses: [], clock: systemClock, log: silentLogger },
    vault: { index: () => Promise.resolve({ hash: (_field: string, text: string) => text }) },
  });
const log = open();
await ensureIndexes(connection);

const idOf = (n: number): string => messageId('bench', String(n));
const digest = (n: number): string => createHash('sha256').update(String(n)).digest('base64url');
const pseudonym = randomBytes(32).toString('base64url');
const leafAt = (n: number) => {
  const entry = { kind: 'receipt', at: '2026-11-21T09:00:00.000Z', digest: digest(n), workspace: pseudonym };
  return { _id: idOf(n), index: n, entry: JSON.stringify(entry), offset: String(n), addedAt: new Date() };
};
const leaves = connection.collection<{ _id: string }>('leaves');
const add = (from: number, count: number) =>
  leaves.insertMany(Array.from({ length: count }, (_, n) => leafAt(from + n)));

async function timed(count: number, work: () => Promise<unknown>, before = () => Promise.resolve()) {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    await before();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  const at = (part: number) => Number((times[Math.floor(times.length * part)] ?? 0).toFixed(2));
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

for (let n = 0; n < LEAVES; n += PAGE) await add(n, Math.min(PAGE, LEAVES - n));
await log.sequencer.runOnce();
let size = LEAVES;
const checkpointOfABatch = await timed(
  ROUNDS,
  () => log.sequencer.runOnce(),
  async () => void (await add(size, BATCH), (size += BATCH)),
);
const proof = () => open().published.inclusionOf(idOf(randomInt(size)));
const paths = tilesOf(size).map((tile) => tilePath(tile).slice('tile/'.length));
const tile = () => log.published.tile(paths[randomInt(256)] ?? '');
console.log(
  JSON.stringify({
    store: storage.kind,
    leaves: size,
    checkpointOfABatch,
    proof: await timed(READS, () => log.published.inclusionOf(idOf(randomInt(size)))),
    proofOfAFreshProcess: await timed(READS / 10, proof),
    tile: await timed(READS * 4, tile),
  }),
);
if (mongodbUri !== undefined) await connection.dropDatabase();
await events.close();
await storage.close();
rmSync(folder, { recursive: true });
