import { randomUUID } from 'node:crypto';
import { logContract } from '../log.contract';

jest.setTimeout(90_000);

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];

logContract('the log on Kafka', () => {
  if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
  const kafka = { brokers, clientId: 'contract', topicPrefix: `${randomUUID()}.`, sessionTimeoutMs: 6_000 };
  return Promise.resolve({ open: { kafka }, partitions: 3, close: () => undefined });
});
