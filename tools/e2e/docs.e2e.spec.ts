import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, raw, requestBody } from './controller';
import { awaitStatus } from './follow';
import { freePorts } from './free-ports';
import { FULL, itInFull } from './full';
import { withLog, withParticipant } from './operator';
import { promisedIn, scriptOf, statusesOf } from './page-script';
import { awaitStarted } from './reports';
import { repository } from './repository';
import { suiteSettings } from './service';
import { startStandalone } from './standalone';

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

/**
 * What the page's tools would do that not every machine has: `kcat` keeps its record in a folder, from which the test
 * writes it into the log.
 */
const standIns = (folder: string): string => `
  uuidgen() { node -p 'crypto.randomUUID().toUpperCase()'; }
  kcat() { printf '%s\\n' "$@" > '${folder}/arguments'; cat > '${folder}/value'; }
`;

/** The record that a line gave to `kcat`. */
async function recordIn(folder: string) {
  const args = (await readFile(join(folder, 'arguments'), 'utf8')).trimEnd().split('\n');
  const valuesOf = (option: string) => args.flatMap((arg, at) => (args[at - 1] === option ? [arg] : []));
  const headers = valuesOf('-H').map((header): [string, string] => [
    header.slice(0, header.indexOf('=')),
    header.slice(header.indexOf('=') + 1),
  ]);
  return {
    topic: valuesOf('-t')[0] ?? '',
    record: {
      key: valuesOf('-k')[0] ?? '',
      value: await readFile(join(folder, 'value')),
      headers: Object.fromEntries(headers),
    },
  };
}

/** A page cancels a waiting request and reads it a few lines later: on a busy machine that takes a while. */
const patient = { ACCESS_WAIT_MS: '4s', ERASURE_WAIT_MS: '6s' };

const needed = ['bash', 'curl', 'openssl'];
const missing = needed.filter((tool) => spawnSync(tool, ['--version']).error);
if (missing.length > 0) console.log(`No ${missing.join(', ')}: the lines of the docs did not run.`);
const required = process.env.DSR_REQUIRE_SERVERS === '1';

(missing.length > 0 && !required ? describe.skip : describe)('the lines in the docs', () => {
  let running: Standalone;
  beforeAll(async () => {
    running = await startStandalone({ ...suiteSettings, ...patient });
  });
  afterAll(() => running.stop());

  it.each(['README.md', ...(FULL ? ['docs/http-api.md', 'docs/workspaces.md'] : [])])(
    '%s: every call answers as its comment says',
    async (file) => {
      const script = scriptOf(await readFile(repository(file), 'utf8'))
        .replaceAll('http://localhost:8080', running.baseUrls[0] ?? '')
        .replaceAll('node apps/cli/', `${repository('node_modules/.bin/node')} ${repository('apps/cli/')}`)
        .replaceAll('DATA_DIR=data', `DATA_DIR=${running.dataDir}`)
        .replaceAll('<key>:<secret>', `${running.key}:${running.secret}`);
      const promised = promisedIn(script);
      expect(promised.length).toBeGreaterThan(3);
      expect(await statusesOf(script)).toEqual(promised);
    },
  );

  it('docs/guides/controller.md: the request goes round in curl and in a program that verifies its callbacks', async () => {
    const [port = 0] = await freePorts(1);
    const script = scriptOf(await readFile(repository('docs/guides/controller.md'), 'utf8'))
      .replaceAll('http://localhost:8080', running.baseUrls[0] ?? '')
      .replaceAll('<key>:<secret>', `${running.key}:${running.secret}`);
    const promised = promisedIn(script);
    expect(promised).toHaveLength(6);
    expect(
      await statusesOf(script, {
        links: { libs: repository('libs'), data: running.dataDir },
        env: { PORT: String(port) },
      }),
    ).toEqual(promised);
  });

  itInFull(
    'docs/operators-api.md: a script signs in with the link of the sandbox, reads, changes, and signs out',
    async () => {
      const token = /console +http\S+#(\S+) \(signs in once\)/.exec(running.processes.at(-1)?.output ?? '')?.[1];
      const script = scriptOf(await readFile(repository('docs/operators-api.md'), 'utf8'))
        .replaceAll('http://localhost:8080', running.baseUrls[0] ?? '')
        .replaceAll('<what is behind # in the link>', token ?? '');
      const promised = promisedIn(script);
      expect(promised).toHaveLength(4);
      expect(await statusesOf(script)).toEqual(promised);
    },
  );

  itInFull(
    'docs/participants.md: a participant reads the identities of a request, and its report from the shell completes it',
    async () => {
      const [folder, controller] = [await mkdtemp(join(tmpdir(), 'opendsr-docs-')), new Controller(running)];
      await withParticipant(running, { name: 'crm', types: 'erasure' }, async ({ secret }) => {
        const body = requestBody({
          subject_request_type: 'erasure',
          subject_identities: [raw('email', 'docs@example.com')],
        });
        const id = body.subject_request_id;
        expect((await controller.create(body)).status).toBe(201);
        await awaitStarted(running, id);
        const page = scriptOf(await readFile(repository('docs/participants.md'), 'utf8')).replaceAll(
          'http://localhost:9090',
          running.parts()[0]?.adminUrl ?? '',
        );
        expect(
          await statusesOf(`SECRET='${secret}' SRID='${id}' KAFKA_BROKERS=none\n${standIns(folder)}\n${page}`),
        ).toEqual(promisedIn(page));
        const { topic, record } = await recordIn(folder);
        await withLog(running, (log) => log.publisher.publish(topic, [record]));
        await awaitStatus(controller, id, 'completed');
      });
      await rm(folder, { recursive: true });
    },
  );

  itInFull('docs/conformance.md: the command for the sandbox runs the suite without a failure', async () => {
    const credentials = join(running.dataDir, 'docs-credentials.json');
    await writeFile(credentials, JSON.stringify({ key: running.key, secret: running.secret }));
    const [port = 0] = await freePorts(1);
    const page = scriptOf(await readFile(repository('docs/conformance.md'), 'utf8'));
    expect(page).toContain('npm run conformance -- ');
    // Some rules are enough to show that the line is right: all of them are rows of the suite.
    const script = page
      .replaceAll(
        'npm run conformance -- ',
        `npm --prefix '${repository()}' run conformance -- --only create.status,callbacks.every-url --calls-per-minute 0 `,
      )
      .replaceAll('http://localhost:8080', running.baseUrls[0] ?? '')
      .replaceAll('data/sandbox-credentials.json', credentials)
      .replaceAll(' data/', ` ${running.dataDir}/`)
      .replaceAll('127.0.0.1:8443', `127.0.0.1:${String(port)}`);
    expect(await statusesOf(script)).toEqual([]);
  });
});
