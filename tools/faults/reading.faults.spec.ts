import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog, patchedKafka, type EventLog, type LogRecord } from '@opendsr-service/messaging';
import { Brokers, type BrokerId } from './brokers';

const serversFolder = process.env['DSR_TEST_SERVERS'];
const TOPIC = 'reading.v1';
const COUNT = 300;
/** So large that a partition takes many fetches. */
const value = 'x'.repeat(100_000);

jest.setTimeout(300_000);

(process.env['DSR_FAULTS'] === 'short' ? describe.skip : describe)('a topic that is read to its end', () => {
  let folder: string;
  let brokers: Brokers;
  let log: EventLog;

  beforeAll(async () => {
    if (!serversFolder) throw new Error('DSR_TEST_SERVERS names no folder with start-kafka');
    folder = mkdtempSync(join(tmpdir(), 'reading-'));
    brokers = await Brokers.start(serversFolder, folder);
    log = await openLog({ kafka: { brokers: brokers.addresses, clientId: 'reading' } });
    await log.topics.apply([{ name: TOPIC, partitions: 3, retentionMs: -1 }], { replication: 3, minIsr: 2 });
    const records = Array.from({ length: COUNT }, (_, n) => ({ key: `k${n}`, value, headers: {} }));
    for (const record of records) await log.publisher.publish(TOPIC, [record]);
  });

  afterAll(async () => {
    await log?.close();
    await brokers?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const leaderOf = async (partition: number): Promise<BrokerId> => {
    const admin = patchedKafka({ brokers: [...brokers.addresses] }).admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC] });
    await admin.disconnect();
    return topics[0]?.partitions.find(({ partitionId }) => partitionId === partition)?.leader as BrokerId;
  };

  it('is read whole and once although the leader of what is read dies', async () => {
    const seen: LogRecord[] = [];
    let isKilled = false;
    await log.read(TOPIC, {}, async (records) => {
      seen.push(...records);
      if (!isKilled) await brokers.kill(await leaderOf(records[0]?.partition ?? 0));
      isKilled = true;
    });
    const places = seen.map(({ partition, offset }) => `${partition}:${offset}`);
    expect([isKilled, new Set(places).size, places.length]).toEqual([true, COUNT, COUNT]);
  });
});
