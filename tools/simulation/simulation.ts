// `npm run simulation`: simulates requests and finds planted faults (docs/simulation.md).
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bundleWorlds } from './bundle';
import { findMutants } from './mutant-search';
import { readOptions, type SimulationOptions } from './options';
import { UnchangedRuns } from './unchanged-runs';
import { Tests } from './tests';

const FRESH_SEEDS = 1_000_000;

/** Where bundles lie: packages that stay outside of them are looked up from there. */
function folderForBundles(root: string): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'simulation-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function main(options: SimulationOptions): Promise<void> {
  console.log(`Seed ${options.seed}`);
  const root = process.cwd();
  const folder = folderForBundles(root);
  const tests = new Tests();
  const file = join(folder, 'worlds.mjs');
  await bundleWorlds(root, file, []);
  const unchanged = new UnchangedRuns(file, options, tests);
  if (options.original) {
    await unchanged.run();
    await unchanged.replay();
  }
  await findMutants({ root, folder, options, unchanged, tests });
  for (const { name } of tests.tally.failures) console.log(`Failed: ${name}`);
  if (options.report) {
    mkdirSync(dirname(resolve(options.report)), { recursive: true });
    writeFileSync(options.report, JSON.stringify(tests.tally));
  }
  process.exitCode = tests.tally.failed > 0 ? 1 : 0;
}

await main(readOptions(process.argv.slice(2), randomInt(FRESH_SEEDS)));
