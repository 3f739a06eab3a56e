/// <reference types="../kafka/kafkajs-internals" />
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import Runner from 'kafkajs/src/consumer/runner';
import { patchKafkajs } from '../kafka/patch';

/** Stops kafkajs' runner while a handler runs and after a broker came: only a runner that stops says so and lets the process end. */
const nothing = (): void => undefined;
const later = () => Promise.resolve();
const logger: object = { namespace: () => logger, debug: nothing, info: nothing, warn: nothing, error: nothing };
const signal = () => {
  let give = nothing;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
};
const [handling, noticed, handled] = [signal(), signal(), signal()];

let brokers = ['1', '2'];
const batches = [
  {
    topic: 't',
    partition: 0,
    messages: [{ offset: '0' }],
    isEmpty: () => false,
    isEmptyDueToFiltering: () => false,
    offsetLag: nothing,
    offsetLagLow: nothing,
    firstOffset: nothing,
    lastOffset: nothing,
  },
];
const consumerGroup = {
  ...{ groupId: 'g', memberId: 'm', connect: later, joinAndSync: later, leave: later, heartbeat: later },
  getNodeIds: () => {
    if (brokers.length > 2) noticed.give();
    return brokers;
  },
  fetch: async (broker: string) => {
    await delay(1);
    return broker === '1' ? batches.splice(0) : [];
  },
};

patchKafkajs();
const eachBatch = async () => {
  handling.give();
  await handled.given;
};
const runner = new Runner({
  logger,
  consumerGroup,
  eachBatch,
  instrumentationEmitter: { emit: nothing },
  concurrency: 1,
  autoCommit: false,
  eachBatchAutoResolve: false,
  onCrash: nothing,
});
await runner.start();
await handling.given;
brokers = [...brokers, '3'];
await noticed.given;
// The fetchers end now, and those to come are awaited until the handler is done.
await turn();
const stopping = runner.stop();
handled.give();
await stopping;
process.stdout.write('stopped\n');
