import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteFile } from '@opendsr-service/storage';
import { until } from '../receiver/until';
import { ChildService } from './child-service';
import { concurrently } from './concurrently';
import { Controller, raw, requestBody } from './controller';
import { freePorts } from './free-ports';
import { FULL, itInFull } from './full';
import { KeepingCaller } from './keeping-caller';
import { suiteSettings } from './service';
import { spawnStandalone, startStandalone } from './standalone';
import { expectError, wire } from './wire';

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

/** The others start by the same `main`, whose own specs say the same. */
const apps = ['standalone', ...(FULL ? ['gateway', 'request', 'callback-dispatcher', 'ingestion', 'results'] : [])];
const spawnApp = (app: string, args: string[], env = {}) =>
  ChildService.spawn({ name: app, args: [`apps/${app}/dist/main.mjs`, ...args], env });

/** What a process says on stderr when it cannot start, each line without its end. */
async function refusal(child: ChildService): Promise<{ code: number | null; lines: string[] }> {
  const code = await child.exit();
  return { code, lines: child.errorOutput.split('\n').filter((line) => line !== '') };
}

/** A short limit for slow callers, but enough for good ones on a busy machine, and time to close all connections. */
const settings = {
  ...suiteSettings,
  HTTP_HEADERS_TIMEOUT_MS: '2000',
  HTTP_REQUEST_TIMEOUT_MS: '4500',
  STOP_DELAY_MS: '2000',
};
const CALLERS = 4;
/** Between two creates of a caller: each is looked for later. */
const PACE_MS = 20;

const credentialsOf = ({ key, secret }: Standalone): string =>
  `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

/** Creates requests on a connection that is kept, until the service says that it closes it. */
async function createUntilDismissed(running: Standalone, onAnswered: (id: string) => void): Promise<void> {
  const caller = new KeepingCaller(running.baseUrls[0] ?? '', { authorization: credentialsOf(running) });
  for (let isLast = false; !isLast;) {
    const body = requestBody({
      subject_request_type: 'portability',
      subject_identities: [raw('email', `${randomUUID()}@example.com`)],
    });
    const answer = await caller.post('/v2/requests', body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      201,
      expect.objectContaining({ subject_request_id: body.subject_request_id }),
    ]);
    onAnswered(body.subject_request_id);
    await sleep(PACE_MS);
    ({ isLast } = answer);
  }
  caller.close();
}

describe('a standalone process', () => {
  let running: Standalone;
  beforeAll(async () => {
    running = await startStandalone(settings);
  });
  afterAll(() => running.stop());

  it('ends slow headers and bodies with 408 in the error body of their path, on both listeners', async () => {
    const [url = ''] = running.baseUrls;
    const { adminUrl = '' } = running.parts()[0] ?? {};
    const half = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${credentialsOf(running)}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"planted`;
    const slow = [
      [url, 'GET /v2/requests HTTP/1.1\r\nX-Planted: plan', true],
      [url, '', true],
      [adminUrl, 'GET /livez HTTP/1.1\r\nX-Planted: plan', true],
      [url, half('/v2/requests'), true],
      [url, half('/v1/opengdpr_requests'), true],
      [url, half('/v1/identify'), false],
    ] as const;
    await Promise.all(
      slow.map(async ([place, text, isDsr]) => {
        const answer = await wire(place, text);
        expectError(answer, 408, isDsr);
        expect(answer.head).toMatch(/connection: close/i);
      }),
    );
  });

  it.each([
    ['embedded stores', {}],
    ['real servers', { KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URI: 'mongodb://127.0.0.1:1' }],
  ])('refuses on %s a data folder that another process holds, in one line and with exit code 1', async (_, servers) => {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const { code, lines } = await refusal(
      spawnStandalone({ ...running.env, ...servers, PORT: String(port), ADMIN_PORT: String(adminPort) }),
    );
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining(`${running.dataDir} is held`)] });
  });

  itInFull.each(['PORT', 'ADMIN_PORT'])(
    'refuses a %s that is taken, in one line and with exit code 1',
    async (setting) => {
      const [one = 0, port = 0, adminPort = 0] = await freePorts(3);
      const holder = createServer().listen(one, '127.0.0.1');
      await once(holder, 'listening');
      const env = {
        ...running.env,
        DATA_DIR: `${running.dataDir}/other-${setting}`,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        [setting]: String(one),
      };
      const { code, lines } = await refusal(spawnStandalone(env));
      holder.close();
      expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining(`port ${String(one)}`)] });
    },
  );

  it('answers each create completely during a stop, announces closed connections and keeps every 201', async () => {
    const created: string[] = [];
    const callers = Promise.all(
      Array.from({ length: CALLERS }, () => createUntilDismissed(running, (id) => created.push(id))),
    );
    await until('some creates', () => created.length > 4 * CALLERS);
    // A caller with half a request must not delay the stop.
    const half = wire(running.baseUrls[0] ?? '', 'GET /planted HTTP/1.1\r\n');
    await Promise.all([callers, running.restart()]);
    expect(await running.processes[0]?.exit()).toBe(0);
    expectError(await half, 408, true);
    const controller = new Controller(running);
    const found = await concurrently(created, CALLERS, async (id) => (await controller.status(id)).subject_request_id);
    expect(found).toEqual(created);
  });

  it('ends with 0 on SIGINT too', async () => {
    expect(await running.processes.at(-1)?.stop('SIGINT')).toBe(0);
  });

  it('ends with 1 when the position of a consumer does not exist in the event log', async () => {
    await running.processes.at(-1)?.stop();
    const log = SqliteFile.open(join(running.dataDir, 'log.db'));
    await log.write((db) =>
      db.exec("INSERT OR REPLACE INTO log_groups SELECT 'request', id, next + 1 FROM log_topics"),
    );
    await log.close();
    const child = spawnStandalone(running.env);
    expect(await child.exit()).toBe(1);
    expect(child.output).toMatch(/"level":"fatal".*"OffsetOutOfRange"/);
  });

  itInFull(
    'waits for servers until START_TIMEOUT_MS, then names the missing one in one line, without its address',
    async () => {
      const away = {
        MONGODB_URI: 'mongodb://user:secret@127.0.0.1:1/?replicaSet=rs0',
        KAFKA_BROKERS: '127.0.0.1:1',
        START_TIMEOUT_MS: '1s',
      };
      const child = spawnApp('request', [], { ...away, MASTER_KEY_FILE: join(running.dataDir, 'keys/master.key') });
      expect(await refusal(child)).toEqual({
        code: 1,
        lines: [expect.stringMatching(/^request: waited 1 s \(START_TIMEOUT_MS\) for MongoDB: it [a-z ]+$/)],
      });
      expect(child.output).not.toContain('secret');
    },
  );
});

it.each(apps)(
  '%s: --help names its settings and ends with 0; a bad setting is one line that does not repeat it, and ends with 1',
  async (app) => {
    const [help, bad, argument] = [
      spawnApp(app, ['--help']),
      spawnApp(app, [], { PORT: 'not-a-port' }),
      spawnApp(app, ['--unknown']),
    ];
    expect(await help.exit()).toBe(0);
    expect(help.output).toContain('ADMIN_PORT');
    const { code, lines } = await refusal(bad);
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^[a-z-]+: PORT: /));
    expect(bad.output).not.toContain('not-a-port');
    expect((await refusal(argument)).code).toBe(1);
  },
);

it('dsr: --help ends with 0, an unknown command with 2', async () => {
  const [help, unknown] = [spawnApp('cli', ['--help']), spawnApp('cli', ['no', 'such'])];
  expect(await help.exit()).toBe(0);
  expect(help.output).toContain('topics apply');
  expect((await refusal(unknown)).code).toBe(2);
});
