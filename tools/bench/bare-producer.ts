import { randomBytes } from 'node:crypto';
import { patchedKafka } from '@opendsr-service/messaging';
import { answerTasks } from './helper-process';

export interface BareInput {
  readonly brokers: readonly string[];
  readonly count: number;
  /** Of one record's value. */
  readonly bytes: number;
}

const PARTITIONS = 24;
const RECORDS_PER_SEND = 500;
const IN_FLIGHT = 4;

/** Records a second that kafkajs alone, without our publisher, writes with `acks=all`, in batches, to a topic like that of events. */
async function produce({ brokers, count, bytes }: BareInput): Promise<number> {
  const kafka = patchedKafka({ brokers: [...brokers], clientId: 'bench-bare' });
  const topic = `bench-bare-${randomBytes(4).toString('hex')}`;
  const [admin, producer] = [kafka.admin(), kafka.producer()];
  await Promise.all([admin.connect(), producer.connect()]);
  try {
    await admin.createTopics({
      topics: [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }],
      waitForLeaders: true,
    });
    const value = randomBytes(Math.ceil((bytes * 3) / 4))
      .toString('base64')
      .slice(0, bytes);
    const send = (first: number, records: number) =>
      producer.send({
        topic,
        acks: -1,
        messages: Array.from({ length: records }, (_, at) => ({ key: `sandbox:${String(first + at)}`, value })),
      });
    await send(0, RECORDS_PER_SEND);
    let next = 0;
    const begin = performance.now();
    const worker = async (): Promise<void> => {
      for (let first = next; first < count; first = next) {
        next += RECORDS_PER_SEND;
        await send(first, Math.min(RECORDS_PER_SEND, count - first));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    return (count / (performance.now() - begin)) * 1000;
  } finally {
    await admin.deleteTopics({ topics: [topic] });
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
}

const tasks = { produce };
export type BareProducerTasks = typeof tasks;

answerTasks(tasks);
