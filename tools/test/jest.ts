import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './command';
import { explain } from './skips';
import { reports, timesFile } from './slowest';
import { failure, nothing, ofReport, ofStrays, sum, type JestReport, type Skip, type Tally } from './tally';

/** For Node, whose processes pass it on to Jest's workers: specs leave much behind, and room for it saves a twentieth of their time. */
const ROOMY = '--max-semi-space-size=32';

/** How many processes run the specs of a suite. At most one more than cores: specs wait for servers, processes and time-outs. */
export const workersOf = { unit: 3, int: 3, e2e: 2, console: 1, faults: 1 };

/**
 * All specs of a suite, over all projects, in one run: a process loads the packages once for all of its files.
 * A suite without a test fails, because it is misspelt or lost. `root`: the repository.
 */
export async function runSuite(
  suite: string,
  workers: number,
  env: Readonly<Record<string, string | undefined>>,
  root = '.',
): Promise<Tally> {
  const report = join(root, reports, `${suite}.json`);
  const times = join(root, timesFile(suite));
  const strays = join(root, reports, `${suite}-strays.ndjson`);
  await mkdir(join(root, reports), { recursive: true });
  await Promise.all([report, times, strays].map((file) => rm(file, { force: true })));
  const args = [
    ROOMY,
    resolve('node_modules/jest/bin/jest.js'),
    '--config',
    join(root, 'jest.config.cjs'),
    '--rootDir',
    root,
    '--roots',
    'apps',
    'libs',
    'tools',
    '--maxWorkers',
    String(workers),
    '--json',
    '--outputFile',
    report,
  ];
  const settings = { DSR_SUITE: suite, DSR_SPEC_TIMES: resolve(times), DSR_SPEC_STRAYS: resolve(strays) };
  const ok = await run(
    process.execPath,
    args,
    { ...env, ...settings },
    { yieldsTo: suite === 'unit' ? 'all' : 'cluster' },
  );
  const isFullForm = { ...process.env, ...env }[`DSR_${suite.toUpperCase()}`] === 'full';
  const tests = await readReport(report, (skip) => explain(skip, resolve(root), isFullForm)).catch(() => nothing);
  const tally = sum([tests, ofStrays(await readFile(strays, 'utf8').catch(() => ''))]);
  const isWhole = tests.passed + tests.failed > 0 && (ok || tally.failed > 0);
  return isWhole ? tally : sum([tally, failure(`${suite}: the suite has no test, or broke down`)]);
}

async function readReport(file: string, explained: (skip: Skip) => Skip): Promise<Tally> {
  const tally = ofReport(JSON.parse(await readFile(file, 'utf8')) as JestReport);
  return { ...tally, skipped: tally.skipped.map(explained) };
}
