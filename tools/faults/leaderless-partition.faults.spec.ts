import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog, patchedKafka, type Consumer, type EventLog } from '@opendsr-service/messaging';
import { MemoryParking, until } from '@opendsr-service/messaging/testing';
import { Brokers, type BrokerId } from './brokers';

const serversFolder = process.env['DSR_TEST_SERVERS'];
const TOPIC = 'leaderless.v1';
const GROUP = 'leaderless';

jest.setTimeout(300_000);

/** Each partition lies on the broker of its place alone. */
async function createTopic(brokers: Brokers): Promise<void> {
  const admin = patchedKafka({ brokers: [...brokers.addresses] }).admin();
  await admin.connect();
  const replicaAssignment = brokers.ids.map((id, partition) => ({ partition, replicas: [id] }));
  await admin.createTopics({
    topics: [{ topic: TOPIC, replicaAssignment, configEntries: [{ name: 'min.insync.replicas', value: '1' }] }],
  });
  await admin.disconnect();
}

(process.env['DSR_FAULTS'] === 'short' ? describe.skip : describe)('a partition whose only broker is away', () => {
  let folder: string;
  let brokers: Brokers;
  let log: EventLog;
  let consumer: Consumer;
  const lags = async (): Promise<Readonly<Record<number, number | 'unknown'>>> =>
    Object.fromEntries((await consumer.lag()).map(({ partition, lag = 'unknown' as const }) => [partition, lag]));
  /** While the cluster finds out about a broker nothing may be known. */
  const lagsInTime = () => lags().catch((): Awaited<ReturnType<typeof lags>> => ({}));

  beforeAll(async () => {
    if (!serversFolder) throw new Error('DSR_TEST_SERVERS names no folder with start-kafka');
    folder = mkdtempSync(join(tmpdir(), 'leaderless-'));
    brokers = await Brokers.start(serversFolder, folder);
    await createTopic(brokers);
    log = await openLog({ kafka: { brokers: brokers.addresses, clientId: 'leaderless' } });
    consumer = await log.consume({
      ...{ group: GROUP, topics: [TOPIC], parking: new MemoryParking() },
      handle: (records) => Promise.resolve(records.map(() => 'done' as const)),
      isInfrastructureError: () => false,
      onFatal: (error) => {
        throw error;
      },
    });
    await until(() => consumer.state === 'consuming');
  });

  afterAll(async () => {
    await consumer?.close();
    await log?.close();
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is named among the lags of its group, whose other partitions keep theirs', async () => {
    expect(await lags()).toEqual({ 0: 0, 1: 0, 2: 0 });
    const lost = brokers.ids.find((id) => id !== brokers.controller()) as BrokerId;
    await brokers.kill(lost);
    const withLoss = { 0: 0, 1: 0, 2: 0, [lost - 1]: 'unknown' };
    await until(async () => JSON.stringify(await lagsInTime()) === JSON.stringify(withLoss), 120_000);
    await expect(log.lag(GROUP, [TOPIC])).rejects.toMatchObject({ name: 'LogAway' });
    await brokers.startOne(lost);
    await until(async () => (await lagsInTime())[lost - 1] === 0, 120_000);
  });
});
