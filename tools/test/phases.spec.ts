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
      [expect.stringMatching(new RegExp(`^No real servers .*: ${name}.* did not run\\.$`))],
    ]);
    printed.mockRestore();
  });

  it.each(['int', 'faults'] as const)('%s is a failure where DSR_REQUIRE_SERVERS is 1', async (name) => {
    const printed = jest.spyOn(console, 'log').mockImplementation();
    const tally = await phases(optionsFrom({ DSR_REQUIRE_SERVERS: '1' }), without())[name]();
    expect(tally.failed).toBe(1);
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

it('asks every suite that has a full form for it in `npm run test:full`', () => {
  const root = join(__dirname, '../..');
  const asked = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
    .concat(globSync('tools/**/*.ts', { cwd: root, exclude: ['**/node_modules'] }))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/DSR_[A-Z0-9]+(?=(?:'\])? === 'full')/g) ?? []);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const set = scripts['test:full']?.match(/DSR_[A-Z0-9]+(?==full)/g);
  // The runner itself reads that of the fault suite.
  expect([...(set ?? [])].sort()).toEqual([...new Set([...asked, 'DSR_FAULTS'])].sort());
});
