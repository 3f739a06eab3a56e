import { PlantedWorkspace, type Finding } from './test/planted-workspace';

interface Plant {
  readonly file: string;
  readonly source: string;
  /** More files that the first one needs. */
  readonly more?: Readonly<Record<string, string>>;
  /** The folder that is refused in the place of the file. */
  readonly folder?: string;
  /** The rules that must refuse the file; none: no tool may report it. */
  readonly refusedBy: readonly string[];
}

const use = (what: string, from: string) => `import { ${what} } from '${from}';\n\nexport const used = ${what};\n`;

const planted: Readonly<Record<string, Plant>> = {
  'an app that imports an app': {
    file: 'apps/gateway/src/planted/app.ts',
    source: use('face', '@opendsr-service/request'),
    refusedBy: ['apps-import-libs'],
  },
  'an app that imports the configuration of an app': {
    file: 'apps/gateway/src/planted/app-config.ts',
    source: use('face', '@opendsr-service/request/config'),
    refusedBy: ['apps-import-libs'],
  },
  'a lib that imports an app': {
    file: 'libs/signing/src/planted/app.ts',
    source: use('face', '@opendsr-service/request'),
    refusedBy: ['libs-import-libs'],
  },
  'contracts that import a lib': {
    file: 'libs/contracts/src/planted/lib.ts',
    source: use('face', '@opendsr-service/storage'),
    refusedBy: ['contracts-import-nothing-of-ours'],
  },
  'an import of the host': {
    file: 'apps/results/src/planted/host.ts',
    source: use('face', '../../../standalone/src/main'),
    refusedBy: ['apps-import-libs', 'across-by-name'],
  },
  'kafkajs in an app': {
    file: 'apps/gateway/src/planted/kafka.client.ts',
    source: use('Kafka', 'kafkajs'),
    refusedBy: ['kafkajs-in-messaging'],
  },
  'kafkajs in a lib other than messaging': {
    file: 'libs/storage/src/planted/kafka.ts',
    source: use('Kafka', 'kafkajs'),
    refusedBy: ['kafkajs-in-messaging'],
  },
  'kafkajs in an app, loaded late': {
    file: 'apps/gateway/src/planted/late.client.ts',
    source: "export const used = () => import('kafkajs');\n",
    refusedBy: ['kafkajs-in-messaging'],
  },
  'kafkajs in a tool, where it would not be patched': {
    file: 'tools/faults/planted.ts',
    source: use('Kafka', 'kafkajs'),
    refusedBy: ['kafkajs-in-messaging'],
  },
  'the MongoDB driver in an app': {
    file: 'apps/results/src/planted/driver.store.ts',
    source: use('MongoClient', 'mongodb'),
    refusedBy: ['drivers-in-storage'],
  },
  'a host that imports a host': {
    file: 'apps/cli/src/planted/host.ts',
    source: use('face', '../../../standalone/src/main'),
    refusedBy: ['hosts-import-apps-and-libs'],
  },
  'a lib in the console': {
    file: 'apps/console/src/planted/lib.ts',
    source: use('face', '@opendsr-service/signing'),
    refusedBy: ['browsers-import-contracts'],
  },
  'a framework of servers in contracts': {
    file: 'libs/contracts/src/planted/server.ts',
    source: use('Injectable', '@nestjs/common'),
    refusedBy: ['no-server-in-contracts-and-browsers'],
  },
  'SQLite in an app': {
    file: 'apps/results/src/planted/sqlite.store.ts',
    source: use('DatabaseSync', 'node:sqlite'),
    refusedBy: ['sqlite-in-adapters'],
  },
  'a relative import across projects': {
    file: 'apps/gateway/src/planted/relative.ts',
    source: use('face', '../../../../libs/vault/src/index'),
    refusedBy: ['across-by-name'],
  },
  'a relative import of the inside of a lib': {
    file: 'apps/gateway/src/planted/inside.ts',
    source: use('inner', '../../../../libs/vault/src/planted/inner'),
    more: { 'libs/vault/src/planted/inner.ts': 'export const inner = true;\n' },
    refusedBy: ['across-by-name', 'only-the-face'],
  },
  'a deep import by the name of a lib': {
    file: 'apps/gateway/src/planted/deep.ts',
    source: use('inner', '@opendsr-service/vault/src/planted/inner'),
    refusedBy: ['no-restricted-imports', 'resolvable'],
  },
  'a lib that imports its own face': {
    file: 'libs/vault/src/planted/face.ts',
    source: use('face', '../index'),
    refusedBy: ['face-not-from-inside'],
  },
  'a cycle': {
    file: 'libs/vault/src/planted/circle-a.ts',
    source: "import { b } from './circle-b';\n\nexport const a = () => b;\n",
    more: { 'libs/vault/src/planted/circle-b.ts': "import { a } from './circle-a';\n\nexport const b = () => a;\n" },
    refusedBy: ['no-cycle'],
  },
  'two folders that import each other': {
    file: 'libs/vault/src/planted/left/one.ts',
    source: use('two', '../right/two'),
    more: {
      'libs/vault/src/planted/right/two.ts': 'export const two = true;\n',
      'libs/vault/src/planted/right/three.ts': use('four', '../left/four'),
      'libs/vault/src/planted/left/four.ts': 'export const four = true;\n',
    },
    folder: 'libs/vault/src/planted/left',
    refusedBy: ['no-folder-cycle'],
  },
  'two libs that import each other': {
    file: 'libs/edge/src/planted/one.ts',
    source: use('face', '@opendsr-service/messaging'),
    more: {
      'libs/messaging/src/planted/left/two.ts': use('face', '@opendsr-service/edge'),
    },
    folder: 'libs/edge/src',
    refusedBy: ['no-folder-cycle'],
  },
  'a pure file that imports a store': {
    file: 'apps/ingestion/src/planted/rules.ts',
    source: use('profiles', './profiles.store'),
    more: { 'apps/ingestion/src/planted/profiles.store.ts': 'export const profiles = true;\n' },
    refusedBy: ['pure-files-import-no-store'],
  },
  'a pure file that imports mongoose': {
    file: 'apps/ingestion/src/planted/documents.ts',
    source: use('Schema', 'mongoose'),
    refusedBy: ['pure-files'],
  },
  'a pure file that reads files': {
    file: 'apps/ingestion/src/planted/files.ts',
    source: use('readFileSync', 'node:fs'),
    refusedBy: ['pure-files'],
  },
  'a pure file that calls out': {
    file: 'apps/callback-dispatcher/src/planted/call.ts',
    source: use('request', 'undici'),
    refusedBy: ['pure-files'],
  },
  'a pure file that waits': {
    file: 'apps/ingestion/src/planted/wait.ts',
    source: use('setTimeout', 'node:timers/promises'),
    refusedBy: ['pure-files'],
  },
  'a file of an app that reads the time': {
    file: 'apps/ingestion/src/planted/now.ts',
    source: 'export const used = () => [Date.now(), new Date()];\n',
    refusedBy: ['no-restricted-properties', 'own/no-current-date'],
  },
  'a store that knows its controller': {
    file: 'apps/ingestion/src/planted/back.store.ts',
    source: use('controller', './events.controller'),
    more: { 'apps/ingestion/src/planted/events.controller.ts': 'export const controller = true;\n' },
    refusedBy: ['stores-do-not-look-back'],
  },
  'a rule that imports wiring': {
    file: 'apps/ingestion/src/planted/rule.ts',
    source: use('wired', './planted.wiring'),
    more: { 'apps/ingestion/src/planted/planted.wiring.ts': 'export const wired = true;\n' },
    refusedBy: ['wiring-wires-only'],
  },
  'a controller that uses the store of another folder': {
    file: 'apps/ingestion/src/elsewhere/other.controller.ts',
    source: use('profiles', '../planted/profiles.store'),
    refusedBy: ['controllers-use-their-own-store'],
  },
  'a spec that is imported': {
    file: 'libs/vault/src/planted/uses-spec.ts',
    source: use('sample', './sample.spec'),
    more: { 'libs/vault/src/planted/sample.spec.ts': 'export const sample = true;\n' },
    refusedBy: ['specs-not-imported'],
  },
  'a file that imports what specs share': {
    file: 'libs/vault/src/planted/uses-testing.ts',
    source: use('sample', '../testing/sample'),
    more: { 'libs/vault/src/testing/sample.ts': 'export const sample = true;\n' },
    refusedBy: ['tests-not-imported'],
  },
  'a file that nothing leads to': {
    file: 'libs/vault/src/planted/dead.ts',
    source: 'export const dead = true;\n',
    refusedBy: ['no-dead-file'],
  },
  'a package that the project does not declare': {
    file: 'libs/storage/src/planted/undeclared.ts',
    source: use('request', 'undici'),
    refusedBy: ['declared'],
  },
  'a lib that reads the environment': {
    file: 'libs/storage/src/planted/environment.ts',
    source: 'export const used = process.env.HOME;\n',
    refusedBy: ['no-restricted-properties'],
  },
  'a lib that imports the environment': {
    file: 'libs/storage/src/planted/imported-environment.ts',
    source: use('env', 'node:process'),
    refusedBy: ['no-restricted-imports'],
  },
  'an any under a comment that switches the rule off for ESLint': {
    file: 'libs/storage/src/planted/any.ts',
    source: '// eslint-disable-next-line\nexport const used = (x: any) => x as unknown;\n',
    refusedBy: ['typescript/no-explicit-any', 'own/no-directives'],
  },
  'a comment that switches all rules off': {
    file: 'libs/storage/src/planted/directive.ts',
    source: '/* oxlint-disable */\nexport const used = (x: any) => x as unknown;\n',
    refusedBy: ['own/no-directives'],
  },
  'a hook under a condition': {
    file: 'apps/console/src/planted/hook.tsx',
    source:
      'import { useState } from \'react\';\n\nexport function Planted({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return <img src="planted" />;\n}\n',
    refusedBy: ['react-hooks/rules-of-hooks', 'jsx-a11y/alt-text'],
  },
  'a type that does not fit': {
    file: 'libs/storage/src/planted/misfit.ts',
    source: "export const used: number = 'one';\n",
    refusedBy: ['typescript/TS2322'],
  },
  'a promise that nobody awaits': {
    file: 'libs/storage/src/planted/floating.ts',
    source: 'export function used() {\n  Promise.reject(new Error());\n}\n',
    refusedBy: ['typescript/no-floating-promises'],
  },
  'a type imported as a value': {
    file: 'libs/storage/src/planted/type.ts',
    source: "import { Model } from 'mongoose';\n\nexport type Used = Model<object>;\n",
    refusedBy: ['typescript/consistent-type-imports'],
  },
  'a constructor of five': {
    file: 'libs/storage/src/planted/five.ts',
    source:
      'export class Five {\n  constructor(readonly a: 1, readonly b: 1, readonly c: 1, readonly d: 1, readonly e: 1) {}\n}\n',
    refusedBy: ['max-params'],
  },
  'a file of 301 lines': {
    file: 'libs/storage/src/planted/long.ts',
    source: Array.from({ length: 301 }, (_, line) => `export const line${String(line)} = ${String(line)};\n`).join(''),
    refusedBy: ['max-lines'],
  },
  forwardRef: {
    file: 'libs/service/src/planted/forward.ts',
    source: use('forwardRef', '@nestjs/common'),
    refusedBy: ['no-restricted-imports'],
  },

  'kafkajs in messaging': {
    file: 'libs/messaging/src/planted.module.ts',
    source: use('Kafka', 'kafkajs'),
    refusedBy: [],
  },
  'SQLite in storage': {
    file: 'libs/storage/src/planted.module.ts',
    source: use('DatabaseSync', 'node:sqlite'),
    refusedBy: [],
  },
  'a store on mongoose': {
    file: 'apps/request/src/planted/own.store.ts',
    source: use('Schema', 'mongoose'),
    more: { 'apps/request/src/main.ts': use('used', './planted/own.store') },
    refusedBy: [],
  },
  'a lib imported by its name': {
    file: 'apps/callback-dispatcher/src/main.ts',
    source: use('face', '@opendsr-service/storage'),
    refusedBy: [],
  },
  'the host that wires an app': {
    file: 'apps/standalone/src/main.ts',
    source: use('face', '@opendsr-service/gateway'),
    refusedBy: [],
  },
  'the lib of settings that reads the environment': {
    file: 'libs/config/src/planted.config.ts',
    source: 'export const used = process.env.HOME;\n',
    refusedBy: [],
  },
  'what specs share, which may start anything': {
    file: 'apps/request/src/testing/world.ts',
    source: use('mkdtempSync', 'node:fs'),
    refusedBy: [],
  },
};

let workspace: PlantedWorkspace | undefined;
let findings: Finding[] = [];

beforeAll(async () => {
  workspace = await PlantedWorkspace.create();
  for (const { file, source, more } of Object.values(planted)) {
    for (const [path, content] of Object.entries({ ...more, [file]: source })) await workspace.plant(path, content);
  }
  findings = [...(await workspace.lint()), ...(await workspace.checkImports())];
});

afterAll(() => workspace?.remove());

const rulesAgainst = (file: string) =>
  new Set(findings.filter((finding) => finding.file === file).map(({ rule }) => rule));

describe('is refused:', () => {
  const refused = Object.entries(planted).filter(([, { refusedBy }]) => refusedBy.length > 0);
  it.each(refused)('%s', (_title, { file, folder = file, refusedBy }) => {
    expect([...rulesAgainst(folder)]).toEqual(expect.arrayContaining([...refusedBy]));
  });
});

describe('is allowed:', () => {
  const allowed = Object.entries(planted).filter(([, { refusedBy }]) => refusedBy.length === 0);
  it.each(allowed)('%s', (_title, { file }) => {
    expect([...rulesAgainst(file)]).toEqual([]);
  });
});
