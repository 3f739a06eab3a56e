import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';

// The published package, installed outside of this repository.
const project = join(__dirname, '..');
const workspace = join(project, '../..');
const tools = join(workspace, 'node_modules/.bin');
const packageName = '@opendsr-service/client';
/** Dependencies of the package and of the README's examples. */
const linked = ['@peculiar/x509', 'reflect-metadata', 'fastify', 'express', '@nestjs', '@types'];
/** What only the full form of the plain specs runs. */
const itInFull = process.env.DSR_UNIT === 'full' ? it : it.skip;
let home: string;

const run = promisify(execFile);
/** Without the environment of the tests, and with a home of its own. */
const runClean = (command: string, args: string[], cwd = home) =>
  run(command, args, {
    cwd,
    env: { PATH: [tools, process.env.PATH].join(delimiter), HOME: home, npm_config_update_notifier: 'false' },
  });
/** Like Jest, `require` takes no ES module here. */
const node = async (source: string, inputType: 'module' | 'commonjs') =>
  JSON.parse(
    (await runClean(process.execPath, ['--no-experimental-require-module', '--input-type', inputType, '-e', source]))
      .stdout,
  ) as unknown;

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    private?: boolean;
  };

async function link(name: string, target = join(workspace, 'node_modules', name)): Promise<void> {
  const path = join(home, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

async function install(): Promise<void> {
  await runClean('rolldown', ['--config', 'rolldown.config.mjs', '--dir', join(home, 'built')], project);
  const { stdout } = await runClean('npm', [
    'pack',
    '--json',
    '--offline',
    '--pack-destination',
    home,
    join(home, 'built'),
  ]);
  const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { filename: string }[];
  const installed = join(home, 'node_modules', packageName);
  await mkdir(installed, { recursive: true });
  await runClean('tar', ['-xzf', join(home, filename), '-C', installed, '--strip-components=1']);
  await Promise.all([...linked.map((name) => link(name)), link('lru-cache', join(project, 'node_modules/lru-cache'))]);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'opendsr-client-package-'));
  await install();
});
afterAll(() => rm(home, { recursive: true }));

it('imports only Node and the dependencies in its package.json', async () => {
  const installed = join(home, 'node_modules', packageName);
  const { dependencies } = await manifestOf(installed);
  for (const file of ['index.js', 'index.cjs']) {
    const code = await readFile(join(installed, file), 'utf8');
    const imported = [
      ...code.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];|\b(?:import|require)\(["']([^"']+)["']\)/gm),
    ].map(([, a, b]) => a ?? b ?? '');
    expect([...new Set(imported.filter((name) => !isBuiltin(name)))].sort()).toEqual([
      '@peculiar/x509',
      'lru-cache',
      'reflect-metadata',
    ]);
  }
  expect(Object.keys(dependencies).sort()).toEqual(['@peculiar/x509', 'lru-cache', 'reflect-metadata']);
});

it('takes compatible fixes of its dependencies, and says where its source, its pages and its issues are', async () => {
  const manifest = await manifestOf(join(home, 'node_modules', packageName));
  const own = await manifestOf(project);
  for (const [name, range] of Object.entries(manifest.dependencies))
    expect(range).toBe(`^${own.dependencies[name] ?? 'nothing'}`);
  const house = 'https://github.com/opendsr/opendsr-service';
  expect(manifest).toMatchObject({
    homepage: `${house}/tree/main/libs/client#readme`,
    repository: { type: 'git', url: `git+${house}.git`, directory: 'libs/client' },
    bugs: `${house}/issues`,
  });
  expect(manifest.private).toBeUndefined();
});

it('contains its licence, its README and every vector', async () => {
  const installed = join(home, 'node_modules', packageName);
  expect(await readdir(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  const vectorsIn = async (folder: string) => (await readdir(join(folder, 'vectors'), { recursive: true })).sort();
  expect(await vectorsIn(installed)).toEqual(await vectorsIn(project));
});

it('works with import and require, and verifies a vector', async () => {
  const judge = `
    const { readFileSync } = require('node:fs');
    const vector = JSON.parse(readFileSync(require.resolve('${packageName}/vectors/good-captured.json')));
    const options = {
      allowedDomains: vector.allowed_domains,
      callbackUrls: vector.callback_urls,
      trust: vector.trust_pem,
      certificatePem: vector.certificate_pem,
      now: () => new Date(vector.now),
      revocation: 'if-reachable',
      fetch: () => Promise.reject(new Error('no network')),
    };
    const body = Buffer.from(vector.body_base64, 'base64');
    const altered = Buffer.concat([body, Buffer.from(' ')]);
    Promise.all([body, altered].map((bytes) => verifyCallback(bytes, vector.headers, options))).then((verdicts) =>
      console.log(JSON.stringify(verdicts.map(({ valid, failed }) => failed ?? valid))));`;
  const imported = node(
    `import { createRequire } from 'node:module';
    import { verifyCallback } from '${packageName}';
    const require = createRequire(process.cwd() + '/x.js'); ${judge}`,
    'module',
  );
  const required = node(`const { verifyCallback } = require('${packageName}'); ${judge}`, 'commonjs');
  expect(await Promise.all([imported, required])).toEqual([
    [true, 'signature'],
    [true, 'signature'],
  ]);
});

itInFull(
  'loads where node:tls has no getCACertificates, as in Node 22.12, and trusts the root certificates there',
  async () => {
    const { getCACertificates: _, ...older } = tls;
    const olderTls = `
    const { getCACertificates, ...older } = process.getBuiltinModule('node:tls');
    export default older;
    export const { ${Object.keys(older).join(', ')} } = older;`;
    const judged = node(
      `import { readFileSync } from 'node:fs';
    import { createRequire, registerHooks } from 'node:module';
    const instead = { shortCircuit: true, url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(olderTls)}) };
    registerHooks({ resolve: (name, context, next) => (name === 'node:tls' ? instead : next(name, context)) });
    const { verifyCallback } = await import('${packageName}');
    const vectorFile = createRequire(process.cwd() + '/x.js').resolve('${packageName}/vectors/good-extensions.json');
    const vector = JSON.parse(readFileSync(vectorFile));
    const options = {
      allowedDomains: vector.allowed_domains,
      callbackUrls: vector.callback_urls,
      certificatePem: vector.certificate_pem,
      now: () => new Date(vector.now),
    };
    const verdict = await verifyCallback(Buffer.from(vector.body_base64, 'base64'), vector.headers, options);
    console.log(JSON.stringify(verdict.failed));`,
      'module',
    );
    expect(await judged).toBe('chain');
  },
);

itInFull('has types that compile in a strict project, with the examples of the README', async () => {
  const readme = await readFile(join(project, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(5);
  const consumer = `
    import { DsrClient, verifyCallback, type Verdict } from '${packageName}';
    const options = { allowedDomains: { a: 'https://a' }, callbackUrls: (url: string) => url === '' };
    const verdict: Verdict = await verifyCallback(Buffer.from(''), new Headers(), options);
    type Status = 'pending' | 'in_progress' | 'completed' | 'cancelled';
    const status: Status | false = verdict.valid && verdict.callback.request_status;
    const old = new DsrClient({ baseUrl: '', key: '', secret: '', version: '1.0' });
    const request = { subject_request_id: '', subject_request_type: 'erasure', submitted_time: '' } as const;
    await old.create(request);
    // @ts-expect-error version 2 requires a regulation
    await new DsrClient({ baseUrl: '', key: '', secret: '' }).create(request);
    // @ts-expect-error unknown option
    await verifyCallback(Buffer.from(''), {}, { allowedDomains: [], callbackUrls: [], trusted: '' });
    export { status };`;
  await Promise.all(
    [consumer, ...examples].map((code, index) => writeFile(join(home, `example-${String(index)}.mts`), code)),
  );
  const compilerOptions = {
    module: 'node18',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
  };
  await writeFile(
    join(home, 'required.cts'),
    `import { verifyCallback } from '${packageName}'; export { verifyCallback };`,
  );
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }));
  const faults = await runClean('tsc', ['-p', home]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  expect(faults).toBe('');
});
