// An outside participant: what a downstream team writes to do its share of requests in its own system (docs/participants.md).
//
//   node tools/run.mjs tools/participant/participant.ts
//
// It reads `dsr.request-events.v1`; where a started request names it, it asks the gateway whom the request is about, erases or exports them
// in a store of its own (a JSON file, customers.ts) and reports on `dsr.participant-reports.v1`, signed with its
// secret. It uses nothing of this
// repository, only Node and a Kafka client, so it reads the same in any language.
//
// Every step may happen twice: the position in the topic moves on after the report is written, so a crash repeats the last request. That is
// safe because erasing and exporting again change nothing, and the service ignores what it has heard before.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { Customers } from './customers';
import type { reportRecord } from './report';
import { Shares } from './shares';

/** Reads a variable; there is no useful default for what only the operator knows. */
function setting(name: string, fallback?: string): string {
  const value = process.env[name] ?? fallback;
  if (value === undefined) throw new Error(`${name} must be set, see docs/participants.md`);
  return value;
}

const me = {
  ws: setting('PARTICIPANT_WORKSPACE', 'sandbox'),
  name: setting('PARTICIPANT_NAME'),
  secret: setting('PARTICIPANT_SECRET'),
  gateway: setting('DSR_ADMIN_URL', 'http://localhost:9090'),
  earlyWaitsMs: [250, 1_000, 3_000],
};
const topicPrefix = setting('KAFKA_TOPIC_PREFIX', '');
const retryMs = Number(setting('RETRY_SECONDS', '30')) * 1_000;

const kafka = new Kafka({ clientId: me.name, brokers: setting('KAFKA_BROKERS').split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${topicPrefix}participant-${me.name}` });
const producer = kafka.producer();
const publish = async (record: ReturnType<typeof reportRecord>) => {
  await producer.send({ topic: `${topicPrefix}dsr.participant-reports.v1`, acks: -1, messages: [record] });
};
const shares = new Shares(me, new Customers(setting('CUSTOMERS_FILE', 'customers.json')), publish, (line) => {
  console.log(line);
});

const stop = () => void Promise.allSettled([consumer.disconnect(), producer.disconnect()]).then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop);
// A consumer that fails ends the process, so that its supervisor restarts it.
consumer.on(consumer.events.CRASH, ({ payload }) => {
  if (!payload.restart) process.exit(1);
});

await producer.connect();
await consumer.connect();
await consumer.subscribe({ topic: `${topicPrefix}dsr.request-events.v1`, fromBeginning: true });
await consumer.run({
  eachMessage: ({ message: { headers, value } }) =>
    // What throws here is handed out again: the gateway may be away for a while.
    shares.handle({ type: String(headers?.ce_type), ws: String(headers?.ce_workspaceid), value: String(value) }),
});
console.log(`${me.name} takes part in the requests of ${me.ws}`);

for (;;) {
  await sleep(retryMs);
  await shares.retryOpen();
}
