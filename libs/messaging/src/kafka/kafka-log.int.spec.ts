import { randomUUID } from 'node:crypto';
import { logContract } from '../log.contract';
import type { LogBed } from '../log.contract';
import { readContract } from '../read.contract';
import { tracedLogContract } from '../tracing/traced-log.contract';

jest.setTimeout(90_000);

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];

function setUp(): Promise<LogBed> {
  if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
  const kafka = { brokers, clientId: 'contract', topicPrefix: `${randomUUID()}.`, sessionTimeoutMs: 6_000 };
  return Promise.resolve({ open: { kafka }, partitions: 3, close: () => undefined });
}

logContract('the log on Kafka', setUp);
readContract('the log on Kafka', setUp);
tracedLogContract('the log on Kafka', setUp);
