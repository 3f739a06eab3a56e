import { context, trace } from '@opentelemetry/api';
import type { Connection } from 'mongoose';
import { CallJoiner } from './call-joiner';
import { openStorage } from './open-storage';
import type { Storage } from './storage';
import { recordSpans, type RecordedSpans } from './testing/recorded-spans';

const PREFIX = `spans_${process.pid}_`;

let spans: RecordedSpans;
let storage: Storage;
let connection: Connection;

beforeAll(async () => {
  const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  spans = recordSpans();
  storage = await openStorage({ mongodbUri, databasePrefix: PREFIX, traced: true });
  connection = await storage.database('a');
});
afterAll(async () => {
  await connection.dropDatabase();
  await storage.close();
  await spans.stop();
});

/** Runs work in a span of that name; answers the spans of its commands. */
async function traced(name: string, work: () => Promise<unknown>) {
  await trace.getTracer('spec').startActiveSpan(name, async (span) => {
    await work().catch(() => undefined);
    span.end();
  });
  const parent = spans.ended().findLast((span) => span.name === name);
  return spans.ended().filter((span) => span.parentSpanContext?.spanId === parent?.spanContext().spanId);
}

const things = () => connection.collection('things');

it('shows of a command its name, collection and database, below what it is done for, and nothing of its filter or documents', async () => {
  const made = await traced('a request', async () => {
    await things().insertMany(Array.from({ length: 30 }, (_, n) => ({ planted: `planted ${n}` })));
    await things().updateOne({ planted: 'planted 1' }, { $set: { planted: 'planted too' } });
    await things()
      .find({ planted: { $exists: true } })
      .batchSize(20)
      .toArray();
  });
  const of = (name: string) => ({
    'db.system.name': 'mongodb',
    'db.namespace': `${PREFIX}a`,
    'db.operation.name': name,
    'db.collection.name': 'things',
  });
  expect(made.map(({ name, attributes }) => [name, attributes])).toEqual(
    ['insert', 'update', 'find', 'getMore'].map((name) => [`${name} things`, of(name)]),
  );
  expect(JSON.stringify(made.map(({ attributes, events, status }) => [attributes, events, status]))).not.toContain(
    'planted',
  );
});

it('says of a command that fails the code', async () => {
  const [failed] = await traced('a failure', () => connection.collection('things').findOne({ $planted: 1 } as never));
  expect(failed).toMatchObject({
    name: 'find things',
    attributes: { 'db.response.status_code': '2', 'error.type': 'MongoServerError' },
    status: { code: 2 },
    events: [],
  });
});

it('makes no span of commands without a trace, such as polls for due work', async () => {
  const before = spans.ended().length;
  await things().findOne({});
  await storage.ping();
  expect(spans.ended()).toHaveLength(before);
});

it('does what many ask for at once for the first of them, and what is asked later for who asks then', async () => {
  const seen: (string | undefined)[] = [];
  const gathered = new CallJoiner((inputs: readonly number[]) => {
    seen.push(trace.getSpanContext(context.active())?.spanId);
    return things()
      .findOne({})
      .then(() => inputs);
  });
  const ask = (name: string) =>
    trace.getTracer('spec').startActiveSpan(name, (span) => ({
      id: span.spanContext().spanId,
      done: gathered.call(1).finally(() => span.end()),
    }));
  const first = ask('first');
  while (seen.length === 0) await new Promise(setImmediate);
  const second = ask('second');
  await Promise.all([first.done, second.done]);
  expect(seen).toEqual([first.id, second.id]);
});
