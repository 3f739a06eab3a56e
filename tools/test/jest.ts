import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command';
import { runTarget } from './nx';
import { failure, nothing, ofReport, sum, type JestReport, type Tally } from './tally';

const reports = 'reports';

/** The plain specs of all projects, through nx: the reports of results that it reuses come from its cache. */
export async function runUnitTests(): Promise<Tally> {
  const folder = join(reports, 'unit');
  await rm(folder, { recursive: true, force: true });
  const tasks = await runTarget('test');
  const files = await readdir(folder).catch(() => []);
  const tallies = await Promise.all(files.map(async (file) => ({ file, ...(await readReport(join(folder, file))) })));
  // A project with failed tests fails its task too: the task counts only where no test of the project says why.
  const explained = new Set(tallies.filter(({ failed }) => failed > 0).map(({ file }) => shortName(file)));
  return sum([
    ...tallies,
    ...tasks.failures.filter(({ name }) => !explained.has(shortName(name))).map(({ name }) => failure(name)),
  ]);
}

/** `gateway` of the report `apps-gateway.json` and of the task `@opendsr-service/gateway:test`. */
const shortName = (name: string) => name.replace(/^(apps-|libs-|.*\/)/, '').replace(/(\.json|:test)$/, '');

/**
 * One of the suites that need something running: all its specs, over all projects, in one go and never from a cache.
 * A suite without a spec fails, because it is misspelt or lost.
 */
export async function runSuite(
  suite: string,
  workers: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Tally> {
  const report = join(reports, `${suite}.json`);
  await mkdir(reports, { recursive: true });
  await rm(report, { force: true });
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
  const ok = await run('jest', args, { ...env, DSR_SUITE: suite });
  const tally = await readReport(report).catch(() => nothing);
  return ok || tally.failed > 0 ? tally : sum([tally, failure(`${suite}: the suite has no spec, or broke down`)]);
}

async function readReport(file: string): Promise<Tally> {
  return ofReport(JSON.parse(await readFile(file, 'utf8')) as JestReport);
}
