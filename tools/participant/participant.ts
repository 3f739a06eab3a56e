// An outside participant: what a downstream team writes to do its share of requests in its own system (docs/participants.md).
//
//   node tools/run.mjs tools/participant/participant.ts
//
// It reads `dsr.request-events.v1`; where a started request names it, it asks the gateway whom the request is about, erases or exports them
// in a store of its own (a JSON file, customers.ts) and reports on `dsr.participant-reports.v1`, signed with its secret. It uses nothing of this
// repository, only Node and a Kafka client, so it reads the same in any language.
//
// Every step may happen twice: the position in the topic moves on after the report is written, so a crash repeats the last request. That is
// safe because erasing and exporting again change nothing, and the service ignores what it has heard before.
import { setInterval } from 'node:timers/promises';
import { Kafka, logLevel, type IHeaders, type KafkaMessage } from 'kafkajs';
import { Customers, Refused } from './customers';
import { askIdentities, Forgotten, type Asking } from './identities';
import { reportRecord, type Report } from './report';

interface Started {
  readonly ws: string;
  readonly srid: string;
  readonly participants: readonly string[];
  readonly work: { readonly type: 'access' | 'portability' | 'erasure' };
}

/** Reads a variable; there is no useful default for what only the operator knows. */
function setting(name: string, fallback?: string): string {
  const value = process.env[name] ?? fallback;
  if (value === undefined) throw new Error(`${name} must be set, see docs/participants.md`);
  return value;
}

const me: Asking = {
  gateway: setting('DSR_ADMIN_URL', 'http://localhost:9090'),
  name: setting('PARTICIPANT_NAME'),
  secret: setting('PARTICIPANT_SECRET'),
};
const workspace = setting('PARTICIPANT_WORKSPACE', 'sandbox');
const topicPrefix = setting('KAFKA_TOPIC_PREFIX', '');
const retryMs = Number(setting('RETRY_SECONDS', '60')) * 1_000;

const customers = new Customers(setting('CUSTOMERS_FILE', 'customers.json'));
const kafka = new Kafka({ clientId: me.name, brokers: setting('KAFKA_BROKERS').split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `${topicPrefix}participant-${me.name}` });
const producer = kafka.producer();

/** The request that this record starts, where it waits for us. */
function startedForUs({ headers, value }: KafkaMessage): Started | undefined {
  if (header(headers, 'ce_type') !== 'org.opendsr-service.RequestStarted.v1' || header(headers, 'ce_workspaceid') !== workspace) return undefined;
  const started = JSON.parse(String(value)) as Started;
  return started.participants.includes(me.name) ? started : undefined;
}

const header = (headers: IHeaders | undefined, name: string): string => String(headers?.[name] ?? '');

async function share({ ws, srid, work }: Started): Promise<void> {
  try {
    const identities = await askIdentities(me, ws, srid);
    await report({ ws, srid }, outcome(srid, work.type, identities));
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error;
    // Nobody waits for us any more: the request is over, and its identities are gone.
    customers.settle(srid);
    console.log(`${srid}: ${error.message}`);
  }
}

/** Does the work and says how it went. What our store refuses is reported as failed, and tried again later. */
function outcome(srid: string, type: Started['work']['type'], identities: Parameters<Customers['erase']>[0]): Pick<Report, 'status' | 'statusMessage'> {
  try {
    if (type !== 'erasure') return { status: customers.export(srid, identities) > 0 ? 'sent' : 'skipped' };
    customers.erase(identities);
    // Whether this erased somebody or a crashed try before it did: nobody of them is here now.
    return { status: 'completed' };
  } catch (error) {
    // Controllers read this line: it must not name the person.
    if (error instanceof Refused) return { status: 'failed', statusMessage: error.message };
    throw error;
  }
}

/** Writes the report down in the topic first and at home second, so that none is lost. */
async function report({ ws, srid }: Pick<Started, 'ws' | 'srid'>, share: Pick<Report, 'status' | 'statusMessage'>): Promise<void> {
  await producer.send({
    topic: `${topicPrefix}dsr.participant-reports.v1`,
    acks: -1,
    messages: [reportRecord({ ws, srid, participant: me.name, ...share }, me.secret, new Date())],
  });
  if (share.status !== 'failed') customers.settle(srid);
  console.log(`${srid}: ${share.status}`);
}

async function handle(message: KafkaMessage): Promise<void> {
  const started = startedForUs(message);
  if (!started || customers.isSettled(started.srid)) return;
  customers.begin(started.srid, started);
  await share(started);
}

/** A failed share may be reported again, and the request waits until it is. */
async function retryFailed(): Promise<void> {
  for await (const _tick of setInterval(retryMs)) {
    for (const started of customers.open<Started>()) {
      await share(started).catch((error: unknown) => { console.error(`${started.srid}: ${error instanceof Error ? error.message : 'failed'}, trying again later`); });
    }
  }
}

const stop = () => void Promise.allSettled([consumer.disconnect(), producer.disconnect()]).then(() => process.exit(0));
process.once('SIGTERM', stop).once('SIGINT', stop);

// A consumer that cannot go on takes the process with it, so that whatever runs us starts it again.
consumer.on(consumer.events.CRASH, ({ payload }) => { if (!payload.restart) process.exit(1); });

await producer.connect();
await consumer.connect();
await consumer.subscribe({ topic: `${topicPrefix}dsr.request-events.v1`, fromBeginning: true });
// What throws here is handed out again: the gateway may be away for a while.
await consumer.run({ eachMessage: ({ message }) => handle(message) });
console.log(`${me.name} takes part in the requests of ${workspace}`);
await retryFailed();
