import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { optionsFrom, phases, SharedServers } from './phases';
import { nothing } from './tally';

const without = () => new SharedServers(() => Promise.resolve(undefined));

describe('without real servers', () => {
  it.each(['int', 'faults'] as const)('%s does not run, and says so in one line', async (name) => {
    const printed = jest.spyOn(console, 'log').mockImplementation();
    const tally = await phases(optionsFrom({}), without())[name]();
    expect(tally).toEqual(nothing);
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(new RegExp(`^No .*real servers .*: ${name} did not run\\.$`))],
    ]);
    printed.mockRestore();
  });

  it.each([
    ['int', 'DSR_REQUIRE_SERVERS', 1],
    ['int', 'DSR_REQUIRE_OWN_SERVERS', 0],
    ['faults', 'DSR_REQUIRE_SERVERS', 0],
    ['faults', 'DSR_REQUIRE_OWN_SERVERS', 1],
  ] as const)('%s, where %s is 1, is so many failures: %i', async (name, required, failed) => {
    const printed = jest.spyOn(console, 'log').mockImplementation();
    const tally = await phases(optionsFrom({ [required]: '1' }), without())[name]();
    expect(tally.failed).toBe(failed);
    printed.mockRestore();
  });
});

it('starts the servers once for all suites, and stops what it started', async () => {
  let starts = 0;
  let stops = 0;
  const servers = new SharedServers(() => {
    starts += 1;
    return Promise.resolve({
      kafkaBrokers: 'k:1',
      mongodbUri: 'mongodb://m',
      source: 'here',
      stop: () => Promise.resolve(void (stops += 1)),
    });
  });
  await Promise.all([servers.get(), servers.get()]);
  await servers.stop();
  await servers.stop();
  expect({ starts, stops }).toEqual({ starts: 1, stops: 1 });
});

it('reads a relative folder of servers from where the run starts', () => {
  expect(optionsFrom({ DSR_TEST_SERVERS: '../servers' }).serversFolder).toMatch(/^\/.*[^.]\/servers$/);
});

it('kills servers in the short form unless the full one is asked for', () => {
  expect(optionsFrom({}).faults).toBe('short');
  expect(optionsFrom({ DSR_FAULTS: 'full' }).faults).toBe('full');
  expect(() => optionsFrom({ DSR_FAULTS: 'some' })).toThrow('DSR_FAULTS');
});

it('demands and fetches in the public workflow what .ci/run does, except what needs servers from a folder or root', () => {
  const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');
  const wanted = (file: string) => [
    ...new Set(read(file).match(/DSR_REQUIRE_[A-Z_]+(?==|: )|tools\/[a-z]+\/get-[a-z-]+\.sh/g)),
  ];
  const elsewhere = [
    'DSR_REQUIRE_OWN_SERVERS',
    'DSR_REQUIRE_CLUSTER',
    'DSR_REQUIRE_ALL',
    'tools/cluster/get-podman.sh',
  ];
  const programs = ['DSR_REQUIRE_PROGRAMS', 'tools/evidence/get-programs.sh'];
  expect([...wanted('.github/workflows/ci.yml'), ...elsewhere].sort()).toEqual(
    // What takes long to fetch or to compile runs there alone. A copy may lack the history.
    [...wanted('.ci/run'), ...programs, 'DSR_REQUIRE_HISTORY'].sort(),
  );
});

const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

it('gets the programs of the full form before `npm run test:full`, once its packages are there', () => {
  expect(scripts['pretest:full']).toBe('node tools/setup.mjs && tools/evidence/get-programs.sh');
});

it('asks every suite that has a full form for it in `npm run test:full`', () => {
  const root = join(__dirname, '../..');
  const asked = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
    .concat(globSync('tools/**/*.ts', { cwd: root, exclude: ['**/node_modules'] }))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/DSR_[A-Z0-9]+(?=(?:'\])? === 'full')/g) ?? []);
  const set = scripts['test:full']?.match(/DSR_[A-Z0-9]+(?==full)/g);
  // The runner itself reads that of the fault suite.
  expect([...(set ?? [])].sort()).toEqual([...new Set([...asked, 'DSR_FAULTS'])].sort());
});
