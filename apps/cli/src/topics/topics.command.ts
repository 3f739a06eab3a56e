import { TOPICS } from '@opendsr-service/contracts';
import type { Log } from '@opendsr-service/messaging';
import { checkKafka, kafkaSettings, openEvents, replicationOf, timingSettings } from '@opendsr-service/runtime';
import { command, EXIT, type Terminal } from '../command';

const definitions = Object.values(TOPICS);
// Topics need no MongoDB, so that what makes them need not know it.
const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...kafkaSettings };

/** `dsr topics apply`: creates the topics that are missing, changes none. */
export const topicsApply = command({
  words: 'topics apply',
  meaning: 'creates the topics that are missing, and changes none that exist',
  options: {},
  run: (_none, terminal) =>
    withLog(terminal, async (log, replication) => {
      const { created, existing } = await log.topics.apply(definitions, replication);
      created.forEach((name) => { terminal.print(`created ${name}`); });
      existing.forEach((name) => { terminal.print(`exists  ${name}`); });
      return report(log, replication, terminal);
    }),
});

/** `dsr topics check`: says what differs from the design, which the services refuse to start on. */
export const topicsCheck = command({
  words: 'topics check',
  meaning: 'says which topics differ from what the services need',
  options: {},
  run: (_none, terminal) => withLog(terminal, (log, replication) => report(log, replication, terminal)),
});

type Replication = ReturnType<typeof replicationOf>;

async function report(log: Log, replication: Replication, { print }: Terminal): Promise<number> {
  const states = await log.topics.compare(definitions, replication);
  const problems = states.flatMap(({ name, exists, differences }) => (exists ? differences : [`topic ${name} does not exist`]));
  problems.forEach(print);
  if (problems.length === 0) print('all topics are as they must be');
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

async function withLog({ settings }: Terminal, work: (log: Log, replication: Replication) => Promise<number>): Promise<number> {
  const values = settings(table, (read) => [...(read.KAFKA_BROKERS.length === 0 ? ['KAFKA_BROKERS: must be set, the embedded log needs no topics made'] : []), ...checkKafka(read)]);
  const log = await openEvents(values, 'dsr');
  try {
    return await work(log, replicationOf(values));
  } finally {
    await log.close();
  }
}
