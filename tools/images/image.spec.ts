import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeInFull, representative } from '../testing/form';
import { must, runToEnd } from './command';

const root = join(__dirname, '../..');
const read = (file: string) => readFile(join(root, file), 'utf8');
const node = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  runToEnd(process.execPath, args, { NODE_OPTIONS: '', ...env });

const copyLauncher = async (to: string) => {
  for (const name of ['opendsr.mjs', 'bundle.mjs']) await copyFile(join(root, 'docker', name), join(to, name));
};
const makeCodeCache = (of: string) => must(process.execPath, [join(root, 'docker/code-cache.mjs'), of]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-image-spec-'));
});
afterAll(() => rm(folder, { recursive: true }));

// The phase `cluster` builds the image and runs it.
describeInFull('the bundle of the image', () => {
  let apps: string[];
  beforeAll(async () => {
    const { output } = await node([
      '--input-type=module',
      '--eval',
      `import { apps } from '${root}/rolldown.image.config.mjs'; console.log(JSON.stringify(Object.keys(apps)))`,
    ]);
    apps = JSON.parse(output) as string[];
    await must(process.execPath, [
      join(root, 'node_modules/rolldown/bin/cli.mjs'),
      '--config',
      join(root, 'rolldown.image.config.mjs'),
      '--dir',
      join(folder, 'bundle'),
    ]);
    await copyLauncher(join(folder, 'bundle'));
    await makeCodeCache(join(folder, 'bundle'));
  });

  it('holds every app that the launcher names', () => {
    expect(apps).toEqual(['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion', 'standalone', 'dsr']);
  });

  it('starts each of them with its arguments, far from any installed package, without a warning', async () => {
    const said = async (app: string) => {
      const { code, output, errorOutput } = await node([join(folder, 'bundle/opendsr.mjs'), app, '--help']);
      return [code, output.split(':')[0], errorOutput];
    };
    expect(await Promise.all(apps.map(said))).toEqual(apps.map((app) => [0, app, '']));
  });

  it('starts them from code that is compiled already, and from their sources where V8 does not take that', async () => {
    const watch = join(folder, 'watch.cjs');
    await writeFile(
      watch,
      `const vm = require('node:vm');
       vm.Script = class extends vm.Script {
         constructor(source, options) {
           super(source, options);
           if (options.filename?.endsWith('.cjs')) console.error(String(this.cachedDataRejected));
         }
       };
       require('node:module').syncBuiltinESMExports();`,
    );
    const gateway = ['--require', watch, join(folder, 'bundle/opendsr.mjs'), 'gateway', '--help'];
    const [taken, refused] = await Promise.all([node(gateway), node(['--expose-gc', ...gateway])]);
    const words = ({ errorOutput }: typeof taken) => new Set(errorOutput.trim().split('\n'));
    expect([words(taken), words(refused)]).toEqual([new Set(['false']), new Set(['true'])]);
    expect(refused.output).toBe(taken.output);
  });

  it('has the same code caches wherever they are made', async () => {
    const names = (await readdir(join(folder, 'bundle'))).filter((name) => name.endsWith('.cjs'));
    const elsewhere = join(folder, 'a folder of another name');
    await mkdir(elsewhere);
    for (const name of names) await copyFile(join(folder, 'bundle', name), join(elsewhere, name));
    await makeCodeCache(elsewhere);
    const bytesIn = (of: string) => Promise.all(names.map((name) => readFile(join(of, `${name}.cache`), 'base64')));
    expect(names.length).toBeGreaterThan(7);
    expect((await bytesIn(elsewhere)).join() === (await bytesIn(join(folder, 'bundle'))).join()).toBe(true);
  });

  it('holds what the operator’s tool loads when it is asked for, and works with embedded stores', async () => {
    const dataDir = join(folder, 'stores');
    await mkdir(join(dataDir, 'keys'), { recursive: true });
    const masterKey = Buffer.alloc(32, 7).toString('base64');
    await writeFile(join(dataDir, 'keys/master.key'), masterKey, { mode: 0o600 });
    // Only a folder that holds a log is one of a service.
    await writeFile(join(dataDir, 'log.db'), '');
    const dsr = async (...words: readonly string[]) => {
      const { code, output, errorOutput } = await node(
        [join(folder, 'bundle/opendsr.mjs'), 'dsr', ...words, '--json'],
        { DATA_DIR: dataDir },
      );
      return [code, errorOutput, output === '' ? undefined : (JSON.parse(output) as unknown)];
    };
    const databases = ['callback_dispatcher', 'gateway', 'ingestion', 'keys', 'request', 'results', 'workspaces'].map(
      (database) => expect.objectContaining({ database, differences: [] }) as object,
    );
    expect(await dsr('db', 'apply')).toEqual([0, '', { databases: expect.arrayContaining(databases) as unknown }]);
    const projections = ['callback-dispatcher', 'gateway', 'gateway-callbacks', 'request'].map(
      (projection) => expect.objectContaining({ projection, documents: 0, differences: [] }) as object,
    );
    expect(await dsr('topics', 'apply')).toEqual([0, '', expect.anything()]);
    expect(await dsr('projections', 'verify', '--scratch', dataDir)).toEqual([
      0,
      '',
      { projections: expect.arrayContaining(projections) as unknown },
    ]);
  });

  it('says what it holds of others: a bill of materials with what runs it, and the text of every licence', async () => {
    const bill = JSON.parse(await readFile(join(folder, 'bundle/sbom.cdx.json'), 'utf8')) as {
      components: { name: string; version: string; hashes?: unknown[] }[];
    };
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'mongoose', 'kafkajs', 'swagger-ui-dist', '@nestjs/core']));
    expect(names.filter((name) => /jest|typescript|testcontainers|^@opendsr/.test(name))).toEqual([]);
    expect(bill.components.filter(({ hashes }) => !hashes)).toEqual([]);
    const notices = await readFile(join(folder, 'bundle/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const without = bill.components.filter(({ name, version }) => !notices.includes(`\n${name}@${version} (`));
    expect(without.map(({ name }) => name)).toEqual(['node']);
  });

  it('holds what the page about the API loads', async () => {
    expect((await readFile(join(folder, 'bundle/docs/swagger-ui.css'))).length).toBeGreaterThan(10_000);
  });
});

describe('the launcher', () => {
  beforeAll(async () => {
    await copyLauncher(folder);
    await writeFile(
      join(folder, 'dsr.cjs'),
      'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3;',
    );
    await writeFile(join(folder, 'planted.cjs'), 'console.log("planted")');
    await writeFile(join(folder, 'request.cjs'), 'console.log("loading"); setInterval(() => undefined, 1_000);');
    await writeFile(
      join(folder, 'results.cjs'),
      'process.on("SIGTERM", () => setTimeout(() => process.exit(7), 100)); console.log("loaded"); setInterval(() => undefined, 1_000);',
    );
  });

  /**
   * How an app ends that gets SIGTERM once it has said something; `unshare` makes it the first process of a
   * namespace, like that of a container.
   */
  const stopped = async (app: string, unshare: readonly string[] = []) => {
    const [command = process.execPath, ...options] = unshare;
    const launcher = [join(folder, 'opendsr.mjs'), app];
    const child = spawn(command, unshare.length === 0 ? launcher : [...options, process.execPath, ...launcher], {
      env: { ...process.env, NODE_OPTIONS: '' },
      timeout: 30_000,
      killSignal: 'SIGKILL',
    });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    const pid = String(child.pid);
    process.kill(
      unshare.length === 0 ? Number(pid) : Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')),
      'SIGTERM',
    );
    return (await ended)[0] as unknown;
  };
  const asFirst = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // Who may not make namespaces, as in many containers, cannot try it.
  const inNamespace = spawnSync('unshare', [...asFirst.slice(1), 'true']).status === 0 ? it : it.skip;

  it('ends with 1 on a signal while its app still loads, and leaves it to the app once that has a handler', async () => {
    expect(await Promise.all([stopped('request'), stopped('results')])).toEqual([1, 7]);
  });

  inNamespace('does the same as the first process of a container, where signals have no default action', async () => {
    expect(await Promise.all([stopped('request', asFirst), stopped('results', asFirst)])).toEqual([1, 7]);
  });

  it('hands its other arguments and the exit code through', async () => {
    const { code, output } = await node([join(folder, 'opendsr.mjs'), 'dsr', 'topics', 'apply', '--help']);
    expect([code, JSON.parse(output)]).toEqual([3, ['topics', 'apply', '--help']]);
  });

  it.each(
    representative([{ args: [] }, { args: ['planted'] }, { args: ['./dsr'] }, { args: ['--help'] }, { args: [''] }]),
  )('refuses $args in one line that names the apps, with exit code 1', async ({ args }) => {
    const { code, output, errorOutput } = await node([join(folder, 'opendsr.mjs'), ...args]);
    expect([code, output]).toEqual([1, '']);
    expect(errorOutput).toBe(
      'opendsr: the first argument names the app to run, one of gateway, request, callback-dispatcher, results, ingestion, standalone, dsr\n',
    );
  });
});

describe('the health check', () => {
  const check = (port: number | string, host = '') =>
    node([join(root, 'docker/healthy.mjs')], { ADMIN_PORT: String(port), HOST: host });

  it.each([
    [200, 0],
    [503, 1],
    [404, 1],
    [302, 1],
  ])('of an app that answers /readyz with %i ends with %i, and prints what it said', async (status, code) => {
    const asked: (string | undefined)[] = [];
    const server = createServer(
      ({ url }, response) => void (asked.push(url), response.writeHead(status).end('{"status":"planted"}')),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ended = await check((server.address() as AddressInfo).port);
    server.close();
    expect([ended.code, ended.output, ended.errorOutput, asked]).toEqual([
      code,
      '{"status":"planted"}',
      '',
      ['/readyz'],
    ]);
  });

  it.each([
    ['127.0.0.2', '127.0.0.2'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
  ])('asks an app whose HOST is %s at %s', async (host, asked) => {
    const server = createServer((_request, response) => void response.end('{}')).listen(0, asked);
    await once(server, 'listening');
    const ended = await check((server.address() as AddressInfo).port, host);
    server.close();
    expect(ended).toMatchObject({ code: 0, output: '{}' });
  });

  it('ends with 1 where nothing listens, and where an answer breaks off', async () => {
    const server = createServer(
      (_request, response) =>
        void response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await check(port)).code).toBe(1);
    server.close();
    await once(server, 'close');
    expect(await check(port)).toMatchObject({
      code: 1,
      output: `connect ECONNREFUSED 127.0.0.1:${String(port)}`,
      errorOutput: '',
    });
  });
});

describe('the Dockerfile', () => {
  let lines: string[];
  let last: string[];
  beforeAll(async () => {
    lines = (await read('docker/Dockerfile')).split('\n');
    last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  });
  const inLast = (word: string) =>
    last.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it('takes both base images as arguments, each with a tag other than latest', () => {
    expect(lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1])).toEqual([
      '${BUILD_IMAGE}',
      '${BUILD_IMAGE}',
      'dependencies',
      '${BASE_IMAGE}',
    ]);
    for (const line of lines.filter((text) => /^ARG B\w+_IMAGE=/.test(text)))
      expect(line).toMatch(/=\S+:(?!latest)\S+$/);
  });

  it('installs what the lockfile names, and runs no other install script than that of Node', () => {
    expect(lines.join('\n')).toContain('npm ci --ignore-scripts');
    expect(lines.filter((line) => /\bnpm\b.*\b(install|i)\b/.test(line) && line.startsWith('RUN'))).toEqual([]);
  });

  it('runs as a numeric user that is not root, by the entry point that chart and compose files rely on', () => {
    expect(inLast('USER')).toEqual(['65532:65532']);
    expect(inLast('ENTRYPOINT')).toEqual(['["/usr/local/bin/node", "/app/opendsr.mjs"]']);
    expect(inLast('CMD')).toEqual(['["standalone"]']);
    expect(inLast('WORKDIR')).toEqual(['/app']);
    expect(inLast('EXPOSE')).toEqual(['8080 8081 9090']);
    expect(inLast('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data']);
    expect(inLast('HEALTHCHECK')[0]).toContain('"/app/healthy.mjs"');
  });

  it('puts the licence of Node beside that of the service', async () => {
    expect(lines.join('\n')).toContain('sh docker/image-files.sh /image');
    expect(await read('docker/image-files.sh')).toMatch(/node-linux-\*\/LICENSE "\$to\/app\/LICENSE\.node\.txt"/);
  });

  it('builds the console beside that of a working copy, whose apps may be built at the same time', async () => {
    expect(await read('docker/image-files.sh')).toMatch(
      /CONSOLE_DIST="\$PWD\/dist\/console"\n.* --outDir "\$CONSOLE_DIST"/,
    );
  });

  it('needs no shell in the image that it makes', () => {
    expect(inLast('RUN')).toEqual([]);
  });

  it('says in labels what it is made from', () => {
    for (const label of ['title', 'description', 'licenses', 'source', 'version', 'revision', 'created'])
      expect(last.join('\n')).toContain(`org.opencontainers.image.${label}=`);
  });
});

it('lets nothing into a build but sources, so that no secret beside them gets there', async () => {
  const rules = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('**');
  expect(rules.filter((rule) => rule.startsWith('!'))).toEqual([
    '!package.json',
    '!package-lock.json',
    '!.npmrc',
    '!LICENSE',
    '!tsconfig.json',
    '!rolldown.config.mjs',
    '!rolldown.image.config.mjs',
    '!apps',
    '!libs',
    '!tools/package.json',
    '!docker/opendsr.mjs',
    '!docker/bundle.mjs',
    '!docker/code-cache.mjs',
    '!docker/healthy.mjs',
    '!docker/image-files.sh',
    '!docker/third-parties.mjs',
  ]);
  // Folders with these names hold only what specs share (.dependency-cruiser.cjs).
  expect(rules.slice(1).filter((rule) => !rule.startsWith('!'))).toEqual([
    '**/*.spec.ts',
    '**/*.contract.ts',
    '**/testing',
    '**/node_modules',
    '**/dist',
  ]);
});
