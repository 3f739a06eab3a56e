/** One jest configuration for every project; nx runs it with the project as root directory. */
module.exports = {
  testEnvironment: 'node',
  // The suffix says what a suite needs: none for a plain spec, real servers for `.int`, a running service for `.e2e`.
  testRegex: process.env.DSR_SUITE === 'int' ? '\\.int\\.spec\\.ts$' : process.env.DSR_SUITE === 'e2e' ? '\\.e2e\\.spec\\.ts$' : '(?<!\\.(int|e2e))\\.spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
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
