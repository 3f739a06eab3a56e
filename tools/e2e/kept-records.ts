import { patchedKafka } from '@opendsr-service/messaging';
import type { Kept } from './service';

/** Within so long another record comes, or none will. */
const SILENT_MS = 60_000;

/** Every record in the topics of a prefix, of all writers: key, value and headers. */
export async function* keptRecords(brokers: string, prefix: string): AsyncGenerator<Kept> {
  const kafka = connect(brokers);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = await topicsOf(admin, prefix);
    yield* await read(kafka, topics, await countRecords(admin, topics));
  } finally {
    await admin.disconnect();
  }
}

/** Leaves nothing of a run behind in a broker that other runs share. */
export async function dropTopics(brokers: string, prefix: string): Promise<void> {
  const admin = connect(brokers).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: await topicsOf(admin, prefix) });
  } finally {
    await admin.disconnect();
  }
}

const connect = (brokers: string) => patchedKafka({ clientId: 'e2e', brokers: brokers.split(',') });

type Kafka = ReturnType<typeof patchedKafka>;
type Admin = ReturnType<Kafka['admin']>;
type EachMessage = NonNullable<NonNullable<Parameters<ReturnType<Kafka['consumer']>['run']>[0]>['eachMessage']>;

const topicsOf = async (admin: Admin, prefix: string) =>
  (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));

async function countRecords(admin: Admin, topics: readonly string[]): Promise<number> {
  const offsets = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
  return offsets.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
}

async function read(kafka: Kafka, topics: string[], count: number): Promise<Kept[]> {
  const consumer = kafka.consumer({ groupId: `e2e-hunt-${String(process.pid)}-${String(performance.now())}` });
  // By its place: a consumer that starts again after an error may be given some a second time.
  const records = new Map<string, Kept>();
  let silent: NodeJS.Timeout | undefined;
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await new Promise<void>((done, fail) => {
      // It may start again and again, each time to crash.
      let crash: Error | undefined;
      silent = setTimeout(() => {
        fail(new Error(`only ${String(records.size)} of ${String(count)} records came`, { cause: crash }));
      }, SILENT_MS);
      consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
        crash = error;
        if (!restart) fail(error);
      });
      const eachMessage: EachMessage = ({ topic, partition, message: { offset, key, value, headers } }) => {
        records.set(`${topic} ${String(partition)} ${offset}`, {
          place: 'record',
          where: topic,
          bytes: Buffer.concat([key ?? Buffer.alloc(0), value ?? Buffer.alloc(0), ...headerBytes(headers)]),
        });
        silent?.refresh();
        if (records.size === count) done();
        return Promise.resolve();
      };
      consumer.run({ eachMessage }).catch(fail);
      if (count === 0) done();
    });
  } finally {
    clearTimeout(silent);
    await consumer.disconnect();
  }
  return [...records.values()];
}

const headerBytes = (headers: object = {}): Buffer[] =>
  Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value as Buffer)]);
