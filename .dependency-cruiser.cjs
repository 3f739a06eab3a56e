/**
 * Rules about imports, between projects and between the files of one.
 * The suffix of a file says which way it faces (CONTRIBUTING.md, Layout).
 */
const source = '^(apps|libs)/[^/]+/src/';
// A folder named testing holds what several specs share.
const tests = '\\.(spec|contract)\\.ts$|/testing/';
const facing =
  '(^|/)(main|operation)\\.ts$|\\.(store|client|controller|consumer|worker|projection|module|wiring|config)\\.ts$';
const entries = `${tests}|^(apps|libs)/[^/]+/src/(main|index|[^/]+\\.(module|wiring|config))\\.tsx?$|^tools/`;
const ours = '^(apps|libs|tools)/';
const hosts = '^apps/(?:standalone|cli)/';
const browser = '^apps/console/';
const packages = (...names) => names.map((name) => `(^|/)node_modules/${name}/`).join('|');
const builtins = (...names) => `^(node:)?(${names.join('|')})$`;

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Two files that need each other are one file, or need a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dead-file',
      severity: 'error',
      comment:
        'Neither an entry point nor a test leads to this file. Without cycles, a file that nothing imports begins all that is dead.',
      module: { path: `${source}.+\\.tsx?$`, pathNot: entries, numberOfDependentsLessThan: 1 },
      from: {},
    },
    {
      name: 'face-not-from-inside',
      severity: 'error',
      comment: 'index.ts is the face of a lib for others; inside, import the file itself.',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/$1/src/index\\.ts$' },
    },
    {
      name: 'only-the-face',
      severity: 'error',
      comment: 'From outside, a lib is its index.ts, and for specs the one of its testing folder.',
      from: { path: '^(apps|libs)/([^/]+)/|^tools/' },
      to: { path: '^libs/[^/]+/', pathNot: ['^libs/$2/', '^libs/[^/]+/src/(testing/)?index\\.ts$'] },
    },
    {
      name: 'across-by-name',
      severity: 'error',
      comment: 'A file of another project is imported by the name of its package.',
      from: { path: '^((apps|libs)/[^/]+|tools)/' },
      to: { path: ours, pathNot: '^$1/', dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'libs-import-libs',
      severity: 'error',
      comment: 'A lib never imports an app.',
      from: { path: '^libs/' },
      to: { path: '^(apps|tools)/' },
    },
    {
      name: 'apps-import-libs',
      severity: 'error',
      comment: 'An app imports no other app. Those that run services in their own process wire them.',
      from: { path: '^(apps/[^/]+)/', pathNot: `${hosts}|${browser}` },
      to: { path: '^(apps|tools)/', pathNot: '^$1/' },
    },
    {
      name: 'hosts-import-apps-and-libs',
      severity: 'error',
      comment:
        'What runs services in its own process imports no other such app, no tool and nothing made for browsers.',
      from: { path: `(${hosts})` },
      to: { path: `${hosts}|${browser}|^tools/`, pathNot: '^$1' },
    },
    {
      name: 'browsers-import-contracts',
      severity: 'error',
      comment: 'A browser needs the vocabulary alone, which needs no Node.',
      from: { path: browser },
      to: { path: ours, pathNot: `${browser}|^libs/contracts/` },
    },
    {
      name: 'no-server-in-contracts-and-browsers',
      severity: 'error',
      comment: 'The vocabulary and what runs in browsers need no framework of servers.',
      from: { path: `^libs/contracts/|${browser}` },
      to: { path: packages('@nestjs', 'mongoose', 'fastify', 'undici') },
    },
    {
      name: 'contracts-import-nothing-of-ours',
      severity: 'error',
      comment: 'The vocabulary stands below everything else.',
      from: { path: '^libs/contracts/' },
      to: { path: ours, pathNot: '^libs/contracts/' },
    },
    {
      name: 'tests-not-imported',
      severity: 'error',
      comment:
        'A contract suite and the folders named testing are for specs only, and for the test of the chart on a cluster.',
      from: { pathNot: `${tests}|^tools/cluster/` },
      to: { path: tests },
    },
    {
      name: 'conformance-knows-no-service',
      severity: 'error',
      comment:
        'The conformance suite proves any processor: it knows the vocabulary, certificates, a receiver and the client, and nothing of this service.',
      from: { path: '^tools/conformance/' },
      to: { path: ours, pathNot: '^tools/(conformance|receiver)/|^libs/(client|contracts|signing)/' },
    },
    {
      name: 'specs-not-imported',
      severity: 'error',
      comment: 'A spec is nobody’s library.',
      from: {},
      to: { path: '\\.spec\\.ts$' },
    },
    {
      name: 'kafkajs-in-messaging',
      severity: 'error',
      comment:
        'Only messaging knows the Kafka client, which it patches: who asks brokers themselves does so through its patchedKafka. The participant is written as strangers write theirs.',
      from: { pathNot: '^libs/messaging/|^tools/participant/' },
      to: { path: packages('kafkajs') },
    },
    {
      name: 'drivers-in-storage',
      severity: 'error',
      comment: 'Documents are reached through mongoose models; the drivers below them belong to storage.',
      from: { pathNot: '^libs/storage/' },
      to: { path: packages('mongodb') },
    },
    {
      name: 'sqlite-in-adapters',
      severity: 'error',
      comment: 'SQLite is how the embedded store and the embedded log keep their data, nobody else’s concern.',
      from: { path: source, pathNot: `^libs/(storage|messaging)/|${tests}` },
      to: { path: builtins('sqlite') },
    },
    {
      name: 'pure-files',
      severity: 'error',
      comment: 'A file of an app without a suffix holds rules: no store, no log, no HTTP, no files.',
      from: { path: '^apps/[^/]+/src/', pathNot: `${facing}|${tests}` },
      to: {
        path: [
          packages('mongoose', 'kafkajs', 'fastify', 'undici'),
          builtins('fs', 'fs/promises', 'net', 'http', 'https', 'tls', 'timers', 'timers/promises', 'child_process'),
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-files-import-no-store',
      severity: 'error',
      comment: 'Rules do not reach for what faces out; it is handed to them.',
      from: { path: '^apps/[^/]+/src/', pathNot: `${facing}|${tests}` },
      to: {
        path: '^apps/[^/]+/src/.*\\.(store|client|controller|consumer|worker)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'stores-do-not-look-back',
      severity: 'error',
      comment: 'What faces out does not know who calls it.',
      from: { path: '\\.(store|client)\\.ts$' },
      to: { path: '\\.(controller|consumer|worker|module|wiring)\\.ts$' },
    },
    {
      name: 'controllers-use-their-own-store',
      severity: 'error',
      comment:
        'What comes in by HTTP goes through its own folder; another folder’s store is behind that folder’s rules.',
      from: { path: '^apps/([^/]+)/src/(.+)/[^/]+\\.controller\\.ts$' },
      to: { path: '\\.store\\.ts$', pathNot: '^apps/$1/src/$2/[^/]+$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'wiring-wires-only',
      severity: 'error',
      comment: 'A module, or other wiring, is imported by main.ts, by wiring or by a spec.',
      from: { pathNot: `(^|/)main\\.ts$|\\.(module|wiring)\\.ts$|${tests}|^tools/|^apps/(standalone|cli)/` },
      to: { path: '^apps/.+\\.(module|wiring)\\.ts$' },
    },
    {
      name: 'declared',
      severity: 'error',
      comment: 'What a project needs at run time stands in its own package.json.',
      from: { path: source, pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'This import leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', 'dist'] },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
    skipAnalysisNotInRules: true,
  },
};
