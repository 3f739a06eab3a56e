import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { run } from './command';
import { reports, timesFile } from './slowest';
import { failure, nothing, ofReport, sum, type JestReport, type Tally } from './tally';

/**
 * All specs of a suite, over all projects, in one run: a process loads the packages once for all of its files.
 * A suite without a spec fails, because it is misspelt or lost.
 */
export async function runSuite(
  suite: string,
  workers: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Tally> {
  const report = join(reports, `${suite}.json`);
  await mkdir(reports, { recursive: true });
  const times = timesFile(suite);
  await Promise.all([report, times].map((file) => rm(file, { force: true })));
  const args = [
    '--config',
    'jest.config.cjs',
    '--rootDir',
    '.',
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
  const ok = await run('jest', args, { ...env, DSR_SUITE: suite, DSR_SPEC_TIMES: resolve(times) });
  const tally = await readReport(report).catch(() => nothing);
  return ok || tally.failed > 0 ? tally : sum([tally, failure(`${suite}: the suite has no spec, or broke down`)]);
}

async function readReport(file: string): Promise<Tally> {
  return ofReport(JSON.parse(await readFile(file, 'utf8')) as JestReport);
}
