import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { EXIT } from '../command';
import { databases } from '../db/databases';
import { dbApply, dbCheck } from '../db/db.command';
import { say as sayTo } from '../testing/say';
import { topicsApply, topicsCheck } from '../topics/topics.command';
import { doctorCommand } from './doctor.command';

const commands = [doctorCommand, dbApply, dbCheck, topicsApply, topicsCheck];
const id = randomUUID().slice(0, 8);
const PLANTED = 'hunter2-planted';

function settingOf(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing`);
  return value;
}

const brokers = () => settingOf('DSR_TEST_KAFKA_BROKERS');
const mongodbUri = () => settingOf('DSR_TEST_MONGODB_URI');
const env = (more: Readonly<Record<string, string>> = {}) => ({
  ...{
    KAFKA_BROKERS: brokers(),
    KAFKA_TOPIC_PREFIX: `doctor-${id}.`,
    MONGODB_URI: mongodbUri(),
    MONGODB_DATABASE_PREFIX: `doctor_${id}_`,
    TOPIC_REPLICATION: '1',
    TOPIC_MIN_ISR: '1',
  },
  ...more,
});
const say = (line: string, more: Readonly<Record<string, string>> = {}, now?: () => Date) =>
  sayTo(line, { commands, env: env(more), ...(now && { now }) });

describe('dsr doctor and db on Kafka and MongoDB', () => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage({ mongodbUri: mongodbUri(), databasePrefix: `doctor_${id}_` });
    // One topic is there already, and keeps its records for an hour.
    const log = await openLog({
      kafka: { brokers: brokers().split(','), clientId: 'doctor', topicPrefix: `doctor-${id}.` },
    });
    await log.topics.apply([{ ...TOPICS.commands, retentionMs: 3_600_000 }], { replication: 1, minIsr: 1 });
    await log.close();
    // Asked for groups the first time, a broker begins to make the topic that it keeps them in, and answers once that is there.
    await until(async () => (await say('doctor')).code !== EXIT.away);
  });
  afterAll(async () => {
    for (const { name } of await databases()) await (await storage.database(name)).dropDatabase();
    await storage.close();
  });

  it('makes and compares the indexes of every database, and reports what nobody wants', async () => {
    expect((await say('db check')).code).toBe(EXIT.failed);
    expect((await say('db apply')).out.at(-1)).toBe('all indexes are correct');
    const destinations = (await storage.database('callback_dispatcher')).collection('destinations');
    await destinations.createIndex({ own: 1 });
    await destinations.dropIndex('outboxAt_1');
    const { code, out } = await say('db check');
    expect([code, out]).toEqual([
      EXIT.failed,
      [
        'callback_dispatcher: index outboxAt_1 of destinations is missing: it should be {"outboxAt":1}, ' +
          'partialFilterExpression {"outboxAt":{"$exists":true}}',
        'callback_dispatcher: index own_1 of destinations is not used by any service of this version: it is {"own":1}',
      ],
    ]);
  });

  it('names the servers, a topic that is missing or keeps records for another time, and an index that is missing', async () => {
    const { code, out } = await say('doctor');
    expect(code).toBe(EXIT.failed);
    expect(
      out.some((line) => /^ok {4}kafka: it answers, as [34]\.\d+ or later does, with \d+ brokers?$/.test(line)),
    ).toBe(true);
    expect(out.some((line) => /^ok {4}mongodb: it answers, version \d+/.test(line))).toBe(true);
    expect(out).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^FAIL {2}configuration: .*request.*: MASTER_KEY_FILE: must be set – see docs\/configuration.md$/,
        ),
        'warn  configuration: TOPIC_REPLICATION is 1 – use 3 brokers and 3 copies: with one, a lost disk is lost data',
        `FAIL  topics: topic dsr.commands.v1: retention.ms is 3600000, should be ${TOPICS.commands.retentionMs} – ` +
          `change it with the tools of Kafka; the services do not start until then`,
        'FAIL  topics: topic dsr.request-events.v1 does not exist – create it: dsr topics apply',
        'FAIL  indexes: callback_dispatcher: is missing: destinations.outboxAt_1 – create them: dsr db apply',
        'ok    mongodb: a majority acknowledges writes',
        'ok    clock of mongodb: its clock and this machine’s differ by less than 1000 ms',
      ]),
    );
    expect(out.some((line) => /^ok {4}oplog: it reaches back \d+\.\d hours/.test(line))).toBe(true);
    expect(out.some((line) => line.startsWith('warn  consumer group gateway: Dead, 0 members'))).toBe(true);
  });

  it('checks the groups and databases of the services that it names, for the rights of a process are no more', async () => {
    const parked = (await storage.database('results')).collection<{ _id: string }>('parked');
    await parked.insertOne({ _id: 'x' });
    const checked = async (of: string) => {
      const { out } = await say(`doctor --of ${of}`);
      const found = /consumer group (\S+):|indexes: (\w+):|parked records: 1 in (\w+)|(master key|log key|witnesses):/;
      return new Set(out.flatMap((line) => found.exec(line)?.slice(1) ?? []).filter((name) => name));
    };
    expect(await checked('request')).toEqual(new Set(['request']));
    expect(await checked('callback-dispatcher')).toEqual(
      new Set(['callback-dispatcher', 'callback_dispatcher', 'master key']),
    );
    expect(await checked('gateway,results')).toEqual(
      new Set(['gateway', 'evidence', 'results', 'master key', 'log key', 'witnesses']),
    );
    await parked.deleteOne({ _id: 'x' });
  });

  it('checks certificates, egress and public addresses of the services that have them, and of no other', async () => {
    const checked = async (line: string) => {
      const { out } = await say(line, { TIMING_PROFILE: 'production' });
      return out.map((one) => /certificates|egress|PUBLIC_URL_V2/.exec(one)?.[0]).filter((name) => name !== undefined);
    };
    const all = ['PUBLIC_URL_V2', 'certificates', 'egress'];
    for (const named of ['', ' --of gateway', ' --of callback-dispatcher,results'])
      expect(new Set(await checked(`doctor${named}`))).toEqual(new Set(all));
    expect(await checked('doctor --of request,results,ingestion')).toEqual([]);
    expect(await checked('doctor --of results --to https://127.0.0.1/x')).toEqual(['egress']);
  });

  it('reports a wrong clock of this machine', async () => {
    const { out } = await say('doctor', {}, () => new Date(Date.now() - 30_000));
    expect(
      out.some((line) =>
        /^FAIL {2}clock of mongodb: its clock is (2[5-9]|3[0-5])\d{3} ms ahead of this machine’s/.test(line),
      ),
    ).toBe(true);
  });

  it.each([
    ['Kafka', { KAFKA_BROKERS: '127.0.0.1:1' }, /^FAIL {2}kafka: Kafka: /, /^ok {4}mongodb: /],
    [
      'MongoDB',
      { MONGODB_URI: `mongodb://root:${PLANTED}@127.0.0.1:1/` },
      /^FAIL {2}mongodb: MongoDB: /,
      /^ok {4}kafka: /,
    ],
  ])('ends with 3 where %s is away, looks at the rest, and repeats no address', async (name, more, away, other) => {
    const { code, out, err } = await say('doctor', more);
    expect(code).toBe(EXIT.away);
    expect(out.some((line) => away.test(line))).toBe(true);
    expect(out.some((line) => other.test(line))).toBe(true);
    // A Kafka that does not answer is not asked for its topics as well.
    expect(out.filter((line) => line.startsWith(`warn  topics: it was not checked: ${name} is away`))).toHaveLength(
      name === 'Kafka' ? 1 : 0,
    );
    expect([...out, ...err].join('\n')).not.toMatch(new RegExp(`127\\.0\\.0\\.1:1\\b|${PLANTED}`));
  });

  it('answers a machine about topics', async () => {
    const { code, out } = await say('topics apply --json');
    expect([code, out.length]).toEqual([EXIT.failed, 1]);
    const answer = JSON.parse(out[0] ?? '') as {
      created: string[];
      topics: { name: string; exists: boolean; differences: string[] }[];
    };
    expect(answer.created).not.toContain(TOPICS.commands.name);
    expect(answer.topics[0]).toEqual({
      name: TOPICS.commands.name,
      exists: true,
      differences: [expect.stringContaining('retention.ms is 3600000')],
      tolerated: [],
    });
  });
});
