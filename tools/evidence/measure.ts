/**
 * Prints the processor time that a transparency log of a million leaves costs: a checkpoint over a batch of 1,000, a proof of inclusion, one of
 * consistency. Tiles lie in memory, as in a page cache. Run: node tools/run.mjs tools/evidence/measure.ts
 */
import { checkpointText, leafHash, signNote, StoredTree, writeNote } from '@opendsr-service/transparency';
import { MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';

const LEAVES = 1_000_000;
const BATCH = 1_000;
const ROUNDS = 50;

const signer = testSigner();
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

const tiles = new MemoryTiles();
const add = async (count: number): Promise<void> =>
  void (await tiles.append(Array.from({ length: count }, (_, n) => entry(tiles.size + n))));
while (tiles.size < LEAVES) await add(10_000);

const sign = async (): Promise<string> => {
  await add(BATCH);
  const root = await tiles.tree().root();
  return writeNote(signNote(checkpointText({ origin: signer.name, size: tiles.size, root }), signer));
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(`checkpoint over ${BATCH} new leaves of ${LEAVES}: ${await measured(ROUNDS, sign)}`);
const tree = new StoredTree(tiles.size, tiles);
const placeOf = (round: number): number => Math.floor((tiles.size / ROUNDS) * round);
say(`proof of inclusion: ${await measured(ROUNDS, (round) => tree.inclusionProof(placeOf(round)))}`);
say(`proof of consistency: ${await measured(ROUNDS, (round) => tree.consistencyProof(placeOf(round) + 1))}`);
say(`hash of one leaf: ${await measured(ROUNDS, (round) => Promise.resolve(leafHash(entry(round))))}`);
