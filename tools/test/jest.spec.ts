import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../e2e/repository';
import { itInFull } from '../testing/form';
import { runSuite } from './jest';
import { gatherOutput } from './output';

const { longest } = jest.requireActual<{ readonly longest: readonly string[] }>('../jest/sequencer.cjs');

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opendsr-planted-'));
});
afterEach(() => rm(root, { recursive: true }));

/** What a run says of a workspace with these specs, of which Jest knows nothing yet. */
async function runPlanted(workers: number, specs: Readonly<Record<string, string>>) {
  const files = {
    'jest.config.cjs': `module.exports = { ...require(${JSON.stringify(repository('jest.config.cjs'))}), cacheDirectory: __dirname };`,
    ...specs,
  };
  for (const folder of ['apps', 'libs', 'tools']) await mkdir(join(root, folder));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    return await gatherOutput(() => runSuite('unit', workers, {}, root));
  } finally {
    write.mockRestore();
  }
}

it('counts an error after the end of a file, and an end of the process that Jest makes good', async () => {
  const { failures, skipped, ...counts } = await runPlanted(2, {
    'apps/late.spec.ts': `
      it('passes', () => {
        const isAtWork = () => process.listenerCount('exit') > atStart;
        const atStart = process.listenerCount('exit');
        process.on('exit', () => undefined);
        const turn = () => void (isAtWork() ? setImmediate(turn) : Promise.reject(new Error('too late')));
        turn();
      });`,
    'libs/once.spec.ts': `
      import { existsSync, writeFileSync } from 'node:fs';
      const mark = ${JSON.stringify(join(root, 'mark'))};
      it('passes at the second try', () => {
        if (existsSync(mark)) return;
        writeFileSync(mark, '');
        process.exit(1);
      });`,
    'tools/well.spec.ts': `
      it('passes', () => undefined);
      it('has room', () => expect(process.execArgv).toEqual([expect.stringContaining('semi-space')]));
      it.skip('is skipped', () => undefined);
      it('awaits a rejection', () => expect(Promise.reject(new Error('awaited'))).rejects.toThrow('awaited'));`,
  });
  expect(counts).toEqual({ passed: 5, failed: 2 });
  expect(skipped).toEqual([{ file: 'tools/well.spec.ts', title: 'is skipped' }]);
  expect(failures.map(({ name, reason }) => [name, reason?.split(' | ')[0]]).sort()).toEqual([
    [expect.stringMatching(/apps.late\.spec\.ts: an error after its end$/), 'Error: too late'],
    [expect.stringMatching(/libs.once\.spec\.ts: it ended its process, with code 1$/), undefined],
  ]);
});

itInFull('counts a suite whose process ends as if all were well', async () => {
  const { failures, ...counts } = await runPlanted(1, {
    'apps/gone.spec.ts': `it('passes', () => process.exit(0));`,
  });
  expect(counts).toEqual({ passed: 0, failed: 2, skipped: [] });
  expect(failures).toMatchObject([
    { name: expect.stringMatching(/apps.gone\.spec\.ts: it ended its process, with code 0$/) as string },
    { name: 'unit: the suite has no test, or broke down' },
  ]);
});

it('begins with specs that are there', () => {
  expect(longest.length).toBeGreaterThan(0);
  expect(longest.filter((file) => !existsSync(repository(file)))).toEqual([]);
});

itInFull('begins with the longest, before it knows any time', async () => {
  const spec = (text: string) =>
    `it('runs', () => { require('node:fs').appendFileSync(${JSON.stringify(join(root, 'order'))}, '${text} '); });`;
  const [first = '', second = ''] = longest.filter((file) => /(?<!\.(int|e2e))\.spec\.ts$/.test(file));
  const large = '// '.padEnd(10_000, 'x');
  await runPlanted(1, {
    'apps/large.spec.ts': `${spec('large')}${large}`,
    [second]: `${spec('second')}${large}`,
    [first]: spec('first'),
  });
  expect(await readFile(join(root, 'order'), 'utf8')).toBe('first second large ');
});
