import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { logContract } from '../log.contract';
import type { LogBed } from '../log.contract';
import { openLog } from '../open-log';
import { readContract } from '../read.contract';
import { readKeyContract } from '../read-key.contract';
import { tracedLogContract } from '../tracing/traced-log.contract';

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];

function setUp(): Promise<LogBed> {
  if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
  const kafka = { brokers, clientId: 'contract', topicPrefix: `${randomUUID()}.`, sessionTimeoutMs: 6_000 };
  return Promise.resolve({ open: { kafka }, partitions: 3, close: () => undefined });
}

logContract('the log on Kafka', setUp);
readContract('the log on Kafka', setUp);
readKeyContract('the log on Kafka', setUp);
tracedLogContract('the log on Kafka', setUp);

describe('the publisher of Kafka', () => {
  const open = async (topics: readonly string[]) => {
    const bed = await setUp();
    const log = await openLog(bed.open);
    const definitions = topics.map((name) => ({ name, partitions: 3, retentionMs: 86_400_000 }));
    await log.topics.apply(definitions, { replication: 1, minIsr: 1 });
    return log;
  };
  const record = { key: 'k', value: 'v', headers: {} };

  it('opens no connection for its first publish if it was opened before, and otherwise does', async () => {
    let sockets = 0;
    const count = () => void (sockets += 1);
    for (const isOpened of [true, false]) {
      const log = await open(['first', 'second']);
      if (isOpened) await log.openPublisher(['first', 'second'], 60_000);
      sockets = 0;
      subscribe('net.client.socket', count);
      await Promise.all(['first', 'second'].map((topic) => log.publisher.publish(topic, [record])));
      unsubscribe('net.client.socket', count);
      expect(sockets > 0).toBe(!isOpened);
      await log.close();
    }
  });

  it('is refused for a topic that does not exist', async () => {
    const log = await open([]);
    await expect(log.openPublisher(['missing'], 60_000)).rejects.toMatchObject({ name: 'PublishRefused' });
    await log.close();
  });

  it('waits for an event log that is away only until its time-out', async () => {
    const kafka = { brokers: ['127.0.0.1:1'], clientId: 'away', topicPrefix: 'away.' };
    const log = await openLog({ kafka, logger: { warn: () => undefined, info: () => undefined } });
    await expect(log.openPublisher(['first'], 50)).rejects.toMatchObject({ name: 'LogAway' });
    await log.close();
  });
});
