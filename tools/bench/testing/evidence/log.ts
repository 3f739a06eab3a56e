import { createHash, createSecretKey, randomBytes, randomInt } from 'node:crypto';
import { messageId } from '@opendsr-service/contracts';
import { openTransparencyLog } from '@opendsr-service/gateway/testing';
import { silentLogger, systemClock } from '@opendsr-service/service';
import { TILE_WIDTH, tilePath, tilesOf } from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';
import { spreadOf, type Place } from './place';

const BATCH = 1_000;
const CHECKPOINTS = 30;
const READS = 500;
const PAGE = 2_000;
/** Those that a page cache holds already, as its readers ask for the newest. */
const TILES = 256;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const idOf = (n: number): string => messageId('bench', String(n));

/** How long a log of so many leaves takes for the checkpoint of a batch, for a proof, and for a tile; milliseconds. */
export async function measureLog({ storage, events, cpuOf }: Place, count: number) {
  const connection = await storage.database('gateway');
  const open = () =>
    openTransparencyLog({
      ...{ connection, events, logSigner: testSigner(), witnesses: [], clock: systemClock, log: silentLogger },
      vault: {
        leafKey: createSecretKey(randomBytes(32)),
        index: () => Promise.resolve({ hash: (_field: string, text: string) => text }),
      },
    });
  const log = open();
  const workspace = randomBytes(32).toString('base64url');
  const leafAt = (n: number) => {
    const entry = JSON.stringify({
      kind: 'receipt',
      at: '2026-11-21T09:00:00.000Z',
      digest: digestOf(String(n)),
      workspace,
    });
    return { _id: idOf(n), index: n, entry, offset: String(n), addedAt: new Date() };
  };
  const leaves = connection.collection<{ _id: string }>('leaves');
  let size = 0;
  const add = async (more: number) => {
    await leaves.insertMany(Array.from({ length: more }, (_, n) => leafAt(size + n)));
    size += more;
  };
  while (size < count) await add(Math.min(PAGE, count - size));
  await log.sequencer.runOnce();
  // Else mongod writes the many to its files while the few are measured.
  if (storage.kind === 'mongodb') await connection.db?.admin().command({ fsync: 1 });

  const batches: number[] = [];
  let cpu = 0;
  for (let n = 0; n < CHECKPOINTS; n += 1) {
    await add(BATCH);
    cpu += await cpuOf(async () => {
      const began = performance.now();
      await log.sequencer.runOnce();
      batches.push(performance.now() - began);
    });
  }
  async function timed(times: number, work: () => Promise<unknown>) {
    const each: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      await work();
      each.push(performance.now() - began);
    }
    return spreadOf(each);
  }
  for (let first = 0; first < size; first += TILE_WIDTH) await log.published.inclusionOf(idOf(first));
  const anyLeaf = () => idOf(randomInt(size));
  const paths = tilesOf(size)
    .slice(0, TILES)
    .map((tile) => tilePath(tile).slice('tile/'.length));
  return {
    ...{ store: storage.kind, leaves: size, batch: BATCH },
    checkpoint: { ...spreadOf(batches), cpu: Number((cpu / CHECKPOINTS).toFixed(2)) },
    proof: await timed(READS, () => log.published.inclusionOf(anyLeaf())),
    proofOfAFreshProcess: await timed(READS / 10, () => open().published.inclusionOf(anyLeaf())),
    tile: await timed(READS * 4, () => log.published.tile(paths[randomInt(TILES)] ?? '')),
  };
}
