/** One jest configuration for every project; nx runs it with the project as root directory, the other suites run over all at once. */
const { accessSync, constants, statfsSync } = require('node:fs');
const { join } = require('node:path');

const suites = {
  // The suffix says what a suite needs: none for a plain spec, real servers for `.int`, built apps for `.e2e`, those and a browser for `.console`,
  // three brokers to kill for `.faults`.
  // For a machine ten times slower, and longer than `until` waits (120 s), so that a condition that never comes is named rather than the test.
  unit: { testRegex: '(?<!\\.(int|e2e|console|faults))\\.spec\\.ts$', testTimeout: 300_000 },
  int: { testRegex: '\\.int\\.spec\\.ts$', testTimeout: 300_000 },
  e2e: { testRegex: '\\.e2e\\.spec\\.ts$', testTimeout: 600_000 },
  console: { testRegex: '\\.console\\.spec\\.ts$', testTimeout: 600_000 },
  faults: { testRegex: '\\.faults\\.spec\\.ts$', testTimeout: 1_200_000 },
};
const suite = suites[process.env.DSR_SUITE ?? 'unit'];
if (!suite) throw new Error(`DSR_SUITE is one of ${Object.keys(suites).join(', ')}, not ${process.env.DSR_SUITE}`);

// Embedded stores sync each commit: in memory the plain specs do not wait for a disk. Real servers write more than it holds.
const memory = '/dev/shm';
if (suite === suites.unit && !process.env.TMPDIR && hasRoom(memory)) process.env.TMPDIR = memory;

function hasRoom(folder) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= 2 * 1024 ** 3;
  } catch {
    return false;
  }
}

module.exports = {
  ...suite,
  cacheDirectory: join(__dirname, 'node_modules/.cache/jest'),
  testEnvironment: require.resolve('./tools/jest/environment.cjs'),
  runtime: require.resolve('./tools/jest/runtime.cjs'),
  testSequencer: require.resolve('./tools/jest/sequencer.cjs'),
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // The client is built as a package of the same name.
  modulePathIgnorePatterns: ['/libs/client/dist/'],
  transform: {
    '\\.ts$': [
      require.resolve('@swc/jest'),
      {
        swcrc: false,
        // Beside the code: Jest would take them out of each file again.
        sourceMaps: true,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
};
