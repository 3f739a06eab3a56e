import { TOPICS } from '@opendsr-service/contracts';
import { openLog, type Log } from '@opendsr-service/messaging';
import { checkStores, readProcessSettings, replicationOf, storeSettings } from '@opendsr-service/runtime';
import { EXIT, type Command } from '../command';

const definitions = Object.values(TOPICS);

/** `dsr topics apply`: creates the topics that are missing, changes none. */
export const topicsApply: Command = {
  words: 'topics apply',
  meaning: 'creates the topics that are missing, and changes none that exist',
  run: (print) =>
    withLog(async (log, replication) => {
      const { created, existing } = await log.topics.apply(definitions, replication);
      created.forEach((name) => { print(`created ${name}`); });
      existing.forEach((name) => { print(`exists  ${name}`); });
      return report(log, replication, print);
    }),
};

/** `dsr topics check`: says what differs from the design, which the services refuse to start on. */
export const topicsCheck: Command = {
  words: 'topics check',
  meaning: 'says which topics differ from what the services need',
  run: (print) => withLog((log, replication) => report(log, replication, print)),
};

type Replication = ReturnType<typeof replicationOf>;

async function report(log: Log, replication: Replication, print: (line: string) => void): Promise<number> {
  const problems = await log.topics.check(definitions, replication);
  problems.forEach(print);
  if (problems.length === 0) print('all topics are as they must be');
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

async function withLog(work: (log: Log, replication: Replication) => Promise<number>): Promise<number> {
  const values = readProcessSettings(storeSettings, (read) => checkStores(read, false));
  const log = await openLog({ kafka: { brokers: [...values.KAFKA_BROKERS], clientId: 'dsr', topicPrefix: values.KAFKA_TOPIC_PREFIX } });
  try {
    return await work(log, replicationOf(values));
  } finally {
    await log.close();
  }
}
