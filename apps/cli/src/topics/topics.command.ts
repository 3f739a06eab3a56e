import { TOPICS } from '@opendsr-service/contracts';
import type { EventLog, TopicsReport, TopicState } from '@opendsr-service/messaging';
import { checkKafka, kafkaSettings, timingSettings } from '@opendsr-service/config';
import { openEvents, replicationOf } from '@opendsr-service/service';
import { command, EXIT, type Terminal } from '../command';
import { withStores } from '../db/stores.wiring';
import { jsonOption, show } from '../output';

const definitions = Object.values(TOPICS);
// Topics need no MongoDB, so these commands work without its settings.
const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...kafkaSettings };

type Given = { readonly json: true | undefined };

/** `dsr topics apply` */
export const topicsApply = command({
  words: 'topics apply',
  meaning: 'creates the missing topics; changes no existing one',
  options: jsonOption,
  run: (given, terminal) =>
    withLog(terminal, async (log, replication) => {
      const done = await log.topics.apply(definitions, replication);
      return report(await statesOf(log, replication), { given, terminal, done });
    }),
});

/** `dsr topics check`: with a difference the services refuse to start (decision 3), except with one that is tolerated. */
export const topicsCheck = command({
  words: 'topics check',
  meaning: 'lists the topics that differ from what the services need',
  options: jsonOption,
  run: (given, terminal) =>
    withLog(terminal, async (log, replication) => report(await statesOf(log, replication), { given, terminal })),
});

type Replication = ReturnType<typeof replicationOf>;
const statesOf = (log: EventLog, replication: Replication) => log.topics.compare(definitions, replication);

function report(
  topics: readonly TopicState[],
  { given, terminal, done }: { given: Given; terminal: Terminal; done?: TopicsReport },
): number {
  const problems = topics.flatMap(({ name, exists, differences }) =>
    exists ? differences : [`topic ${name} does not exist`],
  );
  const tolerated = topics.flatMap((topic) => topic.tolerated.map((line) => `tolerated: ${line}`));
  const lines = () => [
    ...(done?.created.map((name) => `created ${name}`) ?? []),
    ...(done?.existing.map((name) => `exists  ${name}`) ?? []),
    ...tolerated,
    ...(problems.length === 0 && tolerated.length === 0 ? ['all topics are correct'] : problems),
  ];
  show(terminal, given, { ...(done && { created: done.created }), topics }, lines);
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

/** The event log of real servers without MongoDB, or the embedded one, which has neither copies nor brokers. */
async function withLog(
  terminal: Terminal,
  work: (log: EventLog, replication: Replication) => Promise<number>,
): Promise<number> {
  const values = terminal.settings(table, checkKafka);
  if (values.KAFKA_BROKERS.length === 0)
    return withStores(terminal, ({ events }) => work(events, { replication: 1, minIsr: 1 }));
  const log = await openEvents(values, 'dsr');
  try {
    return await work(log, replicationOf(values));
  } finally {
    await log.close();
  }
}
