import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { openLog } from '../open-log';
import type { EventLog } from '../port';
import { Listener } from '../testing/listener';
import type { SecuredKafka } from '../testing/secured-kafka';
import { until } from '../testing/until';
import { patchedKafka } from './patched-kafka';
import { inspectCluster } from './inspect-cluster';

const PASSWORD = 'hidden-word';
const PREFIX = 'our.';
const TOPIC = 'events';
const single = { replication: 1, minIsr: 1 };
const missing = (needs = '') => ({
  ...{ name: 'ConnectionFault', kind: 'authorization' },
  message: expect.stringContaining(needs) as string,
});

type Right = readonly [operation: keyof typeof AclOperationTypes, resource: 'TOPIC' | 'GROUP', name: string];
const look: readonly Right[] = [
  ['DESCRIBE', 'TOPIC', TOPIC],
  ['DESCRIBE_CONFIGS', 'TOPIC', TOPIC],
];
const read: Right = ['READ', 'TOPIC', TOPIC];

/** Users by what docs/connecting.md gives them. */
const USERS = {
  service: [...look, read, ['WRITE', 'TOPIC', TOPIC], ['READ', 'GROUP', 'service']],
  doctor: [...look, ['DESCRIBE', 'GROUP', 'service']],
  projections: [...look, read, ['DESCRIBE', 'GROUP', 'service']],
  restore: [...look, read, ['DESCRIBE', 'GROUP', 'service'], ['DELETE', 'GROUP', 'service']],
  nobody: [],
} as const satisfies Record<string, readonly Right[]>;
type User = keyof typeof USERS;

/** They log in by PLAIN. */
export const usersOfRights = Object.keys(USERS).map((username) => ({ username, password: PASSWORD }));

/** What docs/connecting.md says of rights, of a broker on which `usersOfRights` have none yet. */
export function rightsContract(server: () => SecuredKafka): void {
  let brokers: string[];
  const logs: EventLog[] = [];

  const kafkaOf = (user: User) => ({
    brokers: [`127.0.0.1:${String(server().saslPort)}`],
    clientId: user,
    topicPrefix: PREFIX,
    tidyTimeoutMs: 30_000,
    tls: server().certificates.nameless,
    sasl: { mechanism: 'plain', username: user, password: PASSWORD } as const,
  });
  const as = async (user: User): Promise<EventLog> => {
    const log = await openLog({ kafka: kafkaOf(user) });
    logs.push(log);
    return log;
  };

  beforeAll(async () => {
    brokers = [`127.0.0.1:${String(server().plainPort)}`];
    const owner = await openLog({ kafka: { brokers, clientId: 'owner', topicPrefix: PREFIX } });
    await owner.topics.apply([{ name: TOPIC, partitions: 1, retentionMs: -1 }], single);
    await owner.close();
    await give();
    await begun();
  });

  async function give(): Promise<void> {
    const admin = patchedKafka({ brokers }).admin();
    await admin.connect();
    const acl = Object.entries(USERS).flatMap(([user, rights]) =>
      rights.map(([operation, resource, name]: Right) => ({
        principal: `User:${user}`,
        host: '*',
        operation: AclOperationTypes[operation],
        permissionType: AclPermissionTypes.ALLOW,
        resourceType: AclResourceTypes[resource],
        resourceName: `${PREFIX}${name}`,
        resourcePatternType: ResourcePatternTypes.LITERAL,
      })),
    );
    await admin.createAcls({ acl });
    await admin.disconnect();
  }

  /** The controller answers before the broker goes by the new rule. */
  async function begun(): Promise<void> {
    const log = await openLog({ kafka: kafkaOf('service') });
    await until(async () => (await compare(log)).every(({ exists }) => exists));
    await log.close();
  }

  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  });

  const compare = (log: EventLog) => log.topics.compare([{ name: TOPIC, partitions: 1, retentionMs: -1 }], single);
  const folded = async (log: EventLog): Promise<string[]> => {
    const values: string[] = [];
    await log.read(
      TOPIC,
      {},
      (records) => Promise.resolve(void values.push(...records.map(({ value }) => value.toString()))),
      { deadlineMs: 30_000 },
    );
    return values;
  };
  const groupsNow = async () => {
    const admin = patchedKafka({ brokers }).admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    await admin.disconnect();
    return groups.map(({ groupId }) => groupId);
  };

  it('lets a service describe its topics, write, consume, and read without a position', async () => {
    const log = await as('service');
    expect(await compare(log)).toEqual([{ name: TOPIC, exists: true, differences: [], tolerated: [] }]);
    await log.publisher.publish(TOPIC, [{ key: 'k', value: 'first', headers: {} }]);
    const [listener] = await Listener.join(log, 'service', [TOPIC]);
    await until(() => listener.values.length === 1);
    expect(await folded(log)).toEqual(['first']);
  });

  it('lets the doctor see brokers, topics and groups', async () => {
    const [, consumer] = await Listener.join(await as('service'), 'service', [TOPIC]);
    await until(() => consumer.state === 'consuming');
    await consumer.close();
    const { groups } = await inspectCluster(kafkaOf('doctor'), {
      groups: { service: [{ name: TOPIC }] },
      topics: [TOPIC],
      date: new Date(),
      deadlineMs: 60_000,
    });
    expect(groups).toEqual([
      { group: 'service', state: 'Empty', members: 0, lagRecords: expect.any(Number) as number },
    ]);
    expect(await compare(await as('doctor'))).toEqual([{ name: TOPIC, exists: true, differences: [], tolerated: [] }]);
  });

  it('tells a principal which group it may not describe, and of the others what they are', async () => {
    const { brokers: count, groups } = await inspectCluster(kafkaOf('doctor'), {
      groups: { other: [{ name: TOPIC }], service: [{ name: TOPIC }] },
      topics: [TOPIC],
      date: new Date(),
      deadlineMs: 10_000,
    });
    expect([count, groups]).toEqual([
      1,
      [{ group: 'other', isDenied: true }, expect.objectContaining({ state: 'Empty' })],
    ]);
  });

  it('shows the lag of a group only to principals that may describe it', async () => {
    const [standing] = await (await as('doctor')).lag('service', [TOPIC]);
    expect(standing).toMatchObject({ topic: TOPIC, partition: 0, end: '1' });
    await expect((await as('service')).lag('other', [TOPIC])).rejects.toMatchObject(missing());
  });

  it('lets projections be folded while no service reads', async () => {
    const log = await as('projections');
    expect([await log.hasMembers('service'), await folded(log)]).toEqual([false, ['first']]);
  });

  it('lets who may read a topic search it for a key, and tells others that it is denied', async () => {
    const search = async (user: User) => {
      const bounds = { records: 10, bytes: 1e6, timeMs: 10_000 };
      const log = await as(user);
      return log.readKey({ key: 'k', starts: [{ topic: TOPIC, from: new Date(0) }], bounds });
    };
    expect(await search('projections')).toMatchObject([{ records: [{ key: 'k' }], next: '1' }]);
    for (const user of ['doctor', 'nobody'] as const)
      expect(await search(user)).toEqual([{ topic: TOPIC, isDenied: true }]);
  });

  it('lets a restore rewind a group, and refuses it without the right to delete', async () => {
    await expect((await as('projections')).rewind('service')).rejects.toMatchObject(
      missing(': Delete on group our.service (authorization)'),
    );
    await (await as('restore')).rewind('service');
    expect(await groupsNow()).not.toContain(`${PREFIX}service`);
  });

  it('refuses to create a topic without the right', async () => {
    const log = await as('service');
    await expect(log.topics.apply([{ name: 'other', partitions: 1, retentionMs: -1 }], single)).rejects.toMatchObject(
      missing(),
    );
  });

  it('refuses a principal without rights', async () => {
    const log = await as('nobody');
    expect(await compare(log)).toEqual([{ name: TOPIC, exists: false, differences: [], tolerated: [] }]);
    await expect(log.hasMembers('service')).rejects.toMatchObject(missing(': Describe on group our.service'));
    await expect(log.rewind('service')).rejects.toMatchObject(missing(': Delete on group our.service'));
    await expect(folded(log)).rejects.toThrow();
  });

  it('says which right a read lacks', async () => {
    await expect(folded(await as('doctor'))).rejects.toMatchObject(missing(`: Read on topic ${PREFIX}${TOPIC}`));
  });
}
