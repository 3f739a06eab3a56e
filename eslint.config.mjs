import nx from '@nx/eslint-plugin';
import { defineConfig } from 'eslint/config';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';
import { types } from './tools/eslint/types.mjs';

/** One program for a run over everything (nx target `lint-all`); an editor and a single project take the project's own. */
const program = process.env.LINT_PROGRAM ? { project: process.env.LINT_PROGRAM.split(',') } : { projectService: true };

const tests = ['**/*.spec.ts', '**/*.contract.ts', '**/testing/**/*.ts'];

/** Which project may import which, by tag (nx reads the tags from package.json and tools/nx-targets.mjs). */
const depConstraints = [
  {
    sourceTag: 'type:contracts',
    onlyDependOnLibsWithTags: ['type:contracts'],
    bannedExternalImports: ['@nestjs/*', 'mongoose', 'fastify', 'undici'],
  },
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib'] },
  // For browsers: the vocabulary alone, which needs no Node.
  {
    sourceTag: 'type:browser',
    onlyDependOnLibsWithTags: ['type:contracts'],
    bannedExternalImports: ['@nestjs/*', 'mongoose', 'fastify', 'undici'],
  },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib'] },
  { sourceTag: 'type:host', onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:app'] },
  {
    sourceTag: 'type:tools',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:lib', 'type:app', 'type:host', 'type:browser'],
  },
  // Another Kafka client can take kafkajs's place because only messaging knows it, and the participant among the tools, which is written as strangers write theirs.
  { sourceTag: '/^name:(?!messaging$|tools$)/', bannedExternalImports: ['kafkajs', 'kafkajs/*'] },
  { sourceTag: '/^name:(?!storage$)/', bannedExternalImports: ['mongodb', 'mongodb/*'] },
];

const imports = {
  paths: [
    {
      name: '@nestjs/common',
      importNames: ['forwardRef'],
      message: 'Two things that need each other are one thing, or need a third.',
    },
    { name: 'node:process', importNames: ['env'], message: 'The environment is read in libs/config only.' },
    { name: 'process', message: 'Use the global, or node:process.' },
  ],
  patterns: [
    {
      regex: '^@opendsr-service/[^/]+/(?!(config|testing|openapi|operation)$)',
      message:
        'A package is imported by its name: its index.ts is its face, for operators’ tools operation.ts, and for specs the one of its testing folder.',
    },
  ],
};

/** Time and chance come in as a parameter or through the clock of libs/service. */
const clocks = [
  { object: 'Date', property: 'now', message: 'Take the time as a parameter, or from the clock (decision 10).' },
  { object: 'Math', property: 'random', message: 'Take chance as a parameter, or from node:crypto.' },
];
const environment = {
  object: 'process',
  property: 'env',
  message: 'The environment is read in libs/config only; take typed configuration.',
};

/** Types know them, because specs run in Node; browsers do not. */
const nodeGlobals = ['Buffer', 'process', 'global', 'require', '__dirname', 'setImmediate'];

export default defineConfig(
  { ignores: ['**/dist', 'apps/console/src/api/operator.d.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { ...program, tsconfigRootDir: import.meta.dirname } },
    // A comment must not switch a rule off: where a rule is wrong it is changed here, for all.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    plugins: { '@nx': nx, compiler: { rules: { types } } },
    rules: {
      'compiler/types': 'error',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Knows emitDecoratorMetadata: it leaves files with decorators alone.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/max-params': ['error', { max: 4 }],
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 300 }],
      eqeqeq: 'error',
      'no-restricted-imports': ['error', imports],
      'no-restricted-properties': ['error', environment],
      '@nx/enforce-module-boundaries': ['error', { depConstraints, allow: [], checkDynamicDependenciesExceptions: [] }],
    },
  },
  {
    files: ['**/apps/*/src/**/*.{ts,tsx}', '**/libs/contracts/src/**/*.ts'],
    ignores: [...tests, '**/apps/console/src/parts/clock.ts'],
    rules: {
      'no-restricted-properties': ['error', environment, ...clocks],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: clocks[0].message },
      ],
    },
  },
  {
    files: [...tests, '**/libs/config/src/**/*.ts', '**/tools/**/*.ts'],
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-imports': ['error', { ...imports, paths: imports.paths.slice(0, 1) }],
    },
  },
  {
    files: ['**/apps/console/src/**/*.{ts,tsx}'],
    ignores: tests,
    extends: [reactHooks.configs.flat['recommended-latest'], jsxA11y.flatConfigs.strict],
    rules: {
      'no-restricted-globals': ['error', ...nodeGlobals],
      // A part that scrolls must take the focus, or keys cannot scroll it.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['region', 'tabpanel'], tags: ['main'] }],
      // The React compiler is not used.
      'react-hooks/incompatible-library': 'off',
      // Handlers of events may be asynchronous: React ignores what they return.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  // A suite of one rule book reads best as one file.
  { files: tests, rules: { 'max-lines': ['error', { max: 500 }] } },
);
