/**
 * Prints the processor time that a transparency log of a million leaves costs: a checkpoint over a batch of 1,000, a proof of inclusion, one of
 * consistency. Tiles lie in memory, as in a page cache. Run: node tools/run.mjs tools/evidence/measure.ts
 */
import {
  checkpointText,
  grownTiles,
  leafHash,
  noteSigner,
  privateKeyText,
  signNote,
  StoredTree,
  writeNote,
  type TileSource,
} from '@opendsr-service/transparency';

const LEAVES = 1_000_000;
const BATCH = 1_000;
const ROUNDS = 50;

const signer = noteSigner(privateKeyText('measured/log', Buffer.alloc(32, 1)));
const entry = (n: number): Buffer =>
  Buffer.from(JSON.stringify({ kind: 'receipt', at: '2026-11-21T09:00:00.000Z', digest: String(n).padStart(43, '0') }));

async function measured(rounds: number, work: (round: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = process.cpuUsage();
    await work(round);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1_000);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.min(rounds - 1, Math.floor(part * rounds))] as number).toFixed(2);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms`;
}

const kept = new Map<string, Buffer>();
const tiles: TileSource = {
  tile: ({ level, index }) => Promise.resolve(kept.get(`${level}/${index}`) ?? Buffer.alloc(0)),
};
let size = 0;
async function add(count: number): Promise<void> {
  const hashes = Array.from({ length: count }, (_, n) => leafHash(entry(size + n)));
  for (const tile of await grownTiles(size, hashes, tiles)) kept.set(`${tile.level}/${tile.index}`, tile.hashes);
  size += count;
}
while (size < LEAVES) await add(10_000);

const sign = async (): Promise<string> => {
  await add(BATCH);
  const root = await new StoredTree(size, tiles).root();
  return writeNote(signNote(checkpointText({ origin: signer.name, size, root }), signer));
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`checkpoint over ${BATCH} new leaves of ${LEAVES}: ${await measured(ROUNDS, sign)}`);
const tree = new StoredTree(size, tiles);
const placeOf = (round: number): number => Math.floor((size / ROUNDS) * round);
say(`proof of inclusion: ${await measured(ROUNDS, (round) => tree.inclusionProof(placeOf(round)))}`);
say(`proof of consistency: ${await measured(ROUNDS, (round) => tree.consistencyProof(placeOf(round) + 1))}`);
say(`hash of one leaf: ${await measured(ROUNDS, (round) => Promise.resolve(leafHash(entry(round))))}`);
