import 'reflect-metadata';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Report } from './run';
import type { FakeOptions } from './testing/fake-options';
import { ACCOUNTS, FakeProcessor } from './testing/fake-processor';
import { itInFull } from './testing/form';
import { DOMAINS, Rig } from './testing/rig';

let rig: Rig;
/** Each version on a port of its own, and a processor of version 2 that is wrong. */
let newest: FakeProcessor;
let legacy: FakeProcessor;
let wrong: FakeProcessor;

const fake = (more: Partial<FakeOptions>) => FakeProcessor.start({ ...rig.fakeOptions, ...more });

beforeAll(async () => {
  rig = await Rig.start();
  [newest, legacy, wrong] = await Promise.all([
    fake({ versions: ['2.0'] }),
    fake({ versions: ['1.0'] }),
    fake({ versions: ['2.0'], broken: 'create answers 200' }),
  ]);
});
afterAll(async () => {
  await Promise.all([newest, legacy, wrong].map((processor) => processor.close()));
  await rig.close();
});

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const children: ChildProcess[] = [];
/** One that a test gave up would go on beside the next. */
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** What stands behind `npm run conformance`, with nothing of this process's environment but the path. */
async function conformance(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    ['tools/run.mjs', 'tools/conformance/conformance.ts', '--calls-per-minute', '0', ...args],
    { cwd: root, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  children.push(child);
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: said + complained };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const SECRETS = Object.values(ACCOUNTS).map(({ secret }) => secret);
const CREDENTIALS = { DSR_CONFORMANCE_KEY: ACCOUNTS.first.key, DSR_CONFORMANCE_SECRET: ACCOUNTS.first.secret };
const expectNoSecret = (text: string) => {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
};

it('proves both versions at separate addresses, with credentials from a file and a receiver, and writes JSON and JUnit', async () => {
  const port = await freePort();
  const [credentials, json, junit] = ['credentials.json', 'rows.json', 'rows.xml'].map((name) =>
    join(rig.folder, name),
  ) as [string, string, string];
  await writeFile(credentials, JSON.stringify({ ...ACCOUNTS.first, other: ACCOUNTS.second }));
  const { code, output } = await conformance([
    '--base-url',
    newest.url,
    '--v1-base-url',
    legacy.url,
    '--credentials-file',
    credentials,
    '--ca',
    rig.files.authorityFile,
    '--domains',
    Object.values(DOMAINS).join(),
    '--receiver-listen',
    `127.0.0.1:${String(port)}`,
    '--receiver-url',
    `https://127.0.0.1:${String(port)}/hooks`,
    '--receiver-key',
    rig.files.receiver.keyFile,
    '--receiver-cert',
    rig.files.receiver.chainFile,
    '--notes',
    '--only',
    'create.status,certificate.chain,callbacks.created,callbacks.address,isolation.status',
    '--json',
    json,
    '--junit',
    junit,
  ]);
  expect({ code, output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('every rule that applies is decided') as string,
  });
  expect(output).toContain(`Version 2.0 at ${newest.url}\nVersion 1.0 at ${legacy.url}\n`);
  const { rows } = JSON.parse(await readFile(json, 'utf8')) as Report;
  const ids = ['certificate.chain', 'create.status', 'callbacks.created', 'callbacks.address', 'isolation.status'];
  expect(rows.map(({ id, version, outcome }) => `${id} ${version} ${outcome}`)).toEqual(
    ['2.0', '1.0'].flatMap((version) => ids.map((id) => `${id} ${version} passed`)),
  );
  const xml = await readFile(junit, 'utf8');
  expect(xml.match(/<testsuite name="version [12]\.0" tests="5" failures="0" skipped="0">/g)).toHaveLength(2);
  expectNoSecret(output + JSON.stringify(rows) + xml);
});

itInFull(
  'proves the versions whose discovery answers, ends with 1 where a row failed, and says last how many it could not decide',
  async () => {
    const { code, output } = await conformance(
      ['--base-url', wrong.url, '--only', 'create.status,results.portability', '--portability-wait', '1ms'],
      CREDENTIALS,
    );
    expect({ code, versions: output.match(/^version .*$/gm) }).toEqual({
      code: 1,
      versions: ['version 2.0: 0 passed, 1 failed, 1 n/a'],
    });
    expect(output).toContain('2.0 FAILED: expected the answer to be 201, got 200');
    expect(output).toMatch(/\nundecided for want of time: 1 \(.*\)\n$/);
    expectNoSecret(output);
  },
);

itInFull('ends with 2 if no version answers, without a secret in its output', async () => {
  const { code, output } = await conformance(['--base-url', 'http://127.0.0.1:1'], CREDENTIALS);
  expect([code, output.split('\n')[0]]).toEqual([
    2,
    "conformance: no version's discovery answers at http://127.0.0.1:1",
  ]);
  expectNoSecret(output);
});

itInFull('ends with 2 if its options do not fit, without a secret in its output', async () => {
  const { code, output } = await conformance(['--base-url', newest.url, '--secret', ACCOUNTS.first.secret]);
  expect([code, output.split('\n')[0]]).toEqual([2, 'conformance: --key and --secret come together']);
  expectNoSecret(output);
});
