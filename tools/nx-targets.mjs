// Gives every app and library the same targets, so that a project is only a package.json, a tsconfig.json and src/.
import { dirname } from 'node:path';

// Nest 12 is ESM only; Jest 30 loads ESM from CommonJS through vm modules on Node >= 24.9.
const jestEnv = { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };

const cached = (command, tools, config, more = {}) => ({
  command,
  cache: true,
  inputs: [
    '{projectRoot}/**/*',
    '^production',
    '{workspaceRoot}/tsconfig.base.json',
    ...config.map((file) => `{workspaceRoot}/${file}`),
    { externalDependencies: tools },
    ...(more.inputs ?? []),
  ],
  options: { cwd: '{projectRoot}', ...more.options },
  outputs: more.outputs ?? [],
});

const targets = (root) => {
  const up = root.split('/').map(() => '..').join('/');
  const jest = `jest --config ${up}/jest.config.cjs --rootDir . --passWithNoTests`;
  return {
    lint: cached(`eslint . --max-warnings 0`, ['eslint', 'typescript-eslint', '@nx/eslint-plugin'], ['eslint.config.mjs']),
    typecheck: cached('tsc', ['typescript'], []),
    test: cached(jest, ['jest', '@swc/jest', '@swc/core'], ['jest.config.cjs'], { options: { env: jestEnv } }),
    ...(root.startsWith('apps/') && {
      build: cached(`rolldown --config ${up}/rolldown.config.mjs`, ['rolldown'], ['rolldown.config.mjs'], { outputs: ['{projectRoot}/dist'] }),
    }),
  };
};

export const createNodesV2 = [
  '{apps/*,libs/*,tools}/package.json',
  (files) => files.map((file) => [file, { projects: { [dirname(file)]: { targets: targets(dirname(file)) } } }]),
];
