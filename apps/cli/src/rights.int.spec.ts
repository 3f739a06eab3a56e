import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Replica } from '@opendsr-service/messaging/testing';
import { SERVICE_NAMES } from '@opendsr-service/operator-answers';
import { systemClock } from '@opendsr-service/service';
import { openStorage } from '@opendsr-service/storage';
import { freePorts, ownServersFolder, startMongodWithLogin, type OwnServer } from '@opendsr-service/storage/testing';
import { EXIT } from './command';
import { commands } from './commands';
import { databasesOfCommand, databasesOfUser, type Databases } from './testing/rights-page';
import { say } from './testing/say';

const servers = ownServersFolder();
const PASSWORD = 'hidden-word';
const TOPIC = 'dsr.request-events.v1';
const SRID = '475974fa-6b42-4370-bb56-000000000001';
const COMMANDS = ['doctor', 'requests extend', 'parked drop', 'projections verify', 'projections rebuild'];
const userOf = (command: string) => command.replace(' ', '-');

// It needs a server with users of its own.
(servers === undefined ? describe.skip : describe)('with the MongoDB roles of docs/connecting.md', () => {
  let mongod: OwnServer;
  let folder: string;
  let port: number;
  const uriOf = (user: string) => `mongodb://${user}:${PASSWORD}@127.0.0.1:${port}/?authSource=admin`;
  const run = (line: string, user: string) =>
    say(line, {
      commands,
      env: {
        KAFKA_BROKERS: process.env['DSR_TEST_KAFKA_BROKERS'] ?? '',
        KAFKA_TOPIC_PREFIX: `rights-${port}.`,
        TOPIC_REPLICATION: '1',
        TOPIC_MIN_ISR: '1',
        MONGODB_URI: uriOf(user),
        MASTER_KEY_FILE: join(folder, 'master.key'),
      },
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cli-rights-'));
    writeFileSync(join(folder, 'master.key'), 'ab'.repeat(32), { mode: 0o600 });
    [port = 0] = await freePorts(1);
    mongod = await startMongodWithLogin(servers ?? '', { port, folder });
    const first = await openStorage({ mongodbUri: `mongodb://127.0.0.1:${port}/` });
    const { db } = await first.database('any');
    await db?.admin().command({ createUser: 'root', pwd: PASSWORD, roles: ['root'] });
    await first.close();
    const storage = await openStorage({ mongodbUri: uriOf('root') });
    const admin = (await storage.database('any')).db?.admin();
    const make = (user: string, { reads, writes }: Databases) =>
      admin?.command({
        ...{ createUser: user, pwd: PASSWORD },
        roles: [
          ...reads.map((name) => ({ role: 'read', db: `dsr_${name}` })),
          ...writes.map((name) => ({ role: 'readWrite', db: `dsr_${name}` })),
        ],
      });
    for (const service of SERVICE_NAMES) await make(service, databasesOfUser(service));
    for (const command of COMMANDS) await make(userOf(command), databasesOfCommand(command));
    await storage.close();
    expect((await run('db apply', 'root')).code).toBe(0);
    expect((await run('topics apply', 'root')).code).toBe(0);
    expect((await run('workspaces create --workspace acme --name Acme --by ops', 'root')).err).toEqual([]);
  });
  afterAll(async () => {
    await mongod.stop();
    rmSync(folder, { recursive: true });
  });

  const denied = (lines: readonly string[]) => lines.filter((line) => line.includes('(authorization)'));

  it.each(SERVICE_NAMES)('the doctor checks %s as its user', async (service) => {
    const { out } = await run(`doctor --of ${service}`, service);
    expect(out).toEqual(
      expect.arrayContaining(['ok    indexes: all are correct', 'ok    parked records: there are none']),
    );
    expect(denied(out)).toEqual([]);
  });

  it('the doctor checks all as a user of its own, and says what another one may not: no server is away', async () => {
    expect(denied((await run('doctor', 'doctor')).out)).toEqual([]);
    const { code, out } = await run('doctor', 'request');
    const names = ['mongodb', 'indexes', 'parked records', 'master key'];
    expect(denied(out).map((line) => /^FAIL {2}(.*): MongoDB: /.exec(line)?.[1])).toEqual(names);
    expect([code, out.filter((line) => line.includes('is away'))]).toEqual([EXIT.failed, []]);
  });

  it('a legal date is extended by who may only read workspaces', async () => {
    const line = `requests extend --workspace acme --id ${SRID} --reason why --by ops`;
    expect(await run(line, userOf('requests extend'))).toMatchObject({
      code: EXIT.failed,
      err: ['not extended: there is no such request'],
    });
  });

  const expectEnough = async (line: string, command = line) => {
    expect(await run(line, userOf(command))).toMatchObject({ code: EXIT.ok, err: [] });
  };

  it.each(['projections verify', 'projections rebuild'])('dsr %s needs no more', (line) => expectEnough(line));

  it('dsr parked drop needs no more', async () => {
    const storage = await openStorage({ mongodbUri: uriOf('root'), databasePrefix: 'dsr_' });
    const gateway = new Replica({
      ...{ connection: await storage.database('gateway'), group: 'gateway', now: () => systemClock.now().getTime() },
      answer: () => Promise.resolve({ park: 'version-gap' }),
    });
    await gateway.consume({
      ...{ topic: TOPIC, partition: 3, offset: '9', key: `acme:${SRID}`, timestampMs: 7 },
      ...{ value: Buffer.from('{}'), headers: {} },
    });
    await storage.close();
    await expectEnough(`parked drop --id gateway/${TOPIC}/3/9 --by ops --because odd`, 'parked drop');
  });
});
