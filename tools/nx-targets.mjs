// Gives every app and library the same targets, so that a project is only a package.json and src/.
import { dirname } from 'node:path';

// A suite may depend on these, so a cached result needs the same values.
const suiteEnv = [
  'DSR_SUITE',
  'DSR_UNIT',
  'DSR_FAULTS',
  'DSR_TEST_KAFKA_BROKERS',
  'DSR_TEST_MONGODB_URI',
  'DSR_TEST_SERVERS',
  'DSR_TEST_HELM',
  'DSR_TEST_PROMTOOL',
  'DSR_REQUIRE_SERVERS',
];

const cached = (command, tools, config, more = {}) => ({
  command,
  cache: true,
  inputs: [
    ...(more.reads ?? ['{projectRoot}/**/*', '^production']),
    '{workspaceRoot}/tsconfig.json',
    ...config.map((file) => `{workspaceRoot}/${file}`),
    { externalDependencies: tools },
    ...(more.inputs ?? []),
  ],
  options: { cwd: more.cwd ?? '{projectRoot}', ...more.options },
  outputs: more.outputs ?? [],
});

// Lint rules are tried on a planted workspace, the documents of the API are made from the apps and what they use, and
// the chart is rendered.
const toolsRead = [
  '{.oxlintrc.json,.dependency-cruiser.cjs,.dependency-cruiser.folders.cjs,nx.json,package.json}',
  '.ci/run',
  '.github/workflows/ci.yml',
  '{apps,libs}/*/package.json',
  '{apps,libs}/*/src/**/*.{ts,tsx,json}',
  'docs/api/*.json',
  'docker/**/*',
  'docs/kubernetes.md',
  'docs/observability.md',
  'rolldown*.mjs',
];

/** The plain specs of one project. `npm test` runs those of all projects at once. */
const unitTests = (root, up) =>
  cached(
    `jest --config ${up}/jest.config.cjs --rootDir . --passWithNoTests`,
    ['jest', '@swc/jest', '@swc/core'],
    [
      'jest.config.cjs',
      'tools/{jest/*.{cjs,json},guard.mjs,end-orphans.mjs,family.mjs}',
      ...(root === 'tools' ? toolsRead : []),
    ],
    { inputs: suiteEnv.map((env) => ({ env })) },
  );

/** The rules and the types of all projects at once: they share one program, which a project alone would make for itself. */
const lint = () =>
  cached(
    'oxlint apps libs tools',
    ['oxlint', 'oxlint-tsgolint'],
    ['.oxlintrc.json', 'tsconfig.json', 'tools/oxlint/*.mjs'],
    {
      cwd: '.',
      reads: ['apps', 'libs', 'tools'].map((folder) => `{workspaceRoot}/${folder}/**/*.{ts,tsx,json}`),
    },
  );

const format = () =>
  cached('oxfmt --check .', ['oxfmt'], ['.oxfmtrc.json', '.prettierignore'], {
    cwd: '.',
    reads: ['{workspaceRoot}/**/*'],
  });

/** Rules about imports inside projects. They need the files of all projects in one graph, so one project runs them for all. */
const importRules = () =>
  cached(
    'depcruise --config .dependency-cruiser.cjs --output-type err-long apps libs tools && depcruise --config .dependency-cruiser.folders.cjs --output-type err-long apps libs',
    ['dependency-cruiser', 'typescript'],
    ['.dependency-cruiser.cjs', '.dependency-cruiser.folders.cjs'],
    {
      cwd: '.',
      inputs: [
        '{workspaceRoot}/{apps,libs}/*/src/**/*.{ts,tsx}',
        '{workspaceRoot}/{apps,libs}/*/package.json',
        '{workspaceRoot}/package.json',
      ],
    },
  );

const build = (config, tools, read, more) =>
  cached(`rolldown --config ${config}`, tools, read, { outputs: ['{projectRoot}/dist'], ...more });

const CONSOLE = '@opendsr-service/console';

/** What the console is built from; the apps that serve it hold its files. */
const consoleReads = [
  'apps/console/{index.html,package.json,vite.config.mjs}',
  'apps/console/{build,public,src}/**/*',
  'libs/contracts/src/**/*',
];

/** Vite checks no types, and takes its packages from the lockfile. */
const consoleBuild = () =>
  cached('vite build --logLevel warn', ['vite'], consoleReads, {
    outputs: ['{projectRoot}/dist'],
    reads: [],
    inputs: ['{workspaceRoot}/package-lock.json'],
  });

const servesConsole = (root) => ['apps/gateway', 'apps/standalone'].includes(root);

const appBuild = (root, up) =>
  servesConsole(root)
    ? {
        ...build(`${up}/rolldown.config.mjs`, ['rolldown'], ['rolldown.config.mjs', ...consoleReads], {
          inputs: ['{workspaceRoot}/package-lock.json'],
        }),
        dependsOn: [{ projects: [CONSOLE], target: 'build' }],
      }
    : build(`${up}/rolldown.config.mjs`, ['rolldown'], ['rolldown.config.mjs']);

const targets = (root) => {
  const up = root
    .split('/')
    .map(() => '..')
    .join('/');
  return {
    test: unitTests(root, up),
    ...(root === 'tools' && {
      lint: lint(),
      imports: importRules(),
      format: format(),
    }),
    ...(root.startsWith('apps/') && { build: root === 'apps/console' ? consoleBuild() : appBuild(root, up) }),
    // The published package; the compiler generates its types.
    ...(root === 'libs/client' && { build: build('rolldown.config.mjs', ['rolldown', 'typescript'], ['LICENSE']) }),
  };
};

/** The boundaries between projects name some of them (kafkajs only in messaging), so each carries its name as a tag. */
const project = (root) => ({ tags: [`name:${root.split('/').pop()}`], targets: targets(root) });

export const createNodesV2 = [
  '{apps/*,libs/*,tools}/package.json',
  (files) => files.map((file) => [file, { projects: { [dirname(file)]: project(dirname(file)) } }]),
];
