import { CONSUMER_GROUPS, TOPICS } from '@opendsr-service/contracts';
import { inspectCluster, type ClusterFacts, type GroupFacts, type TopicState } from '@opendsr-service/messaging';
import { kafkaOptionsOf } from '@opendsr-service/config';
import { databaseOfService, type ServiceName } from '@opendsr-service/operator-answers';
import { openEvents, replicationOf } from '@opendsr-service/service';
import { CLOCK_FAIL_MS } from './clocks';
import type { StoreSettings } from './doctor-settings';
import { fail, GIVE_RIGHTS, ok, warn, type Check, type Finding } from './finding';

export const OLDEST_KAFKA = '3.7';
const MUCH_LAG_RECORDS = 1_000;
const ASK_WITHIN_MS = 10_000;

const definitions = Object.values(TOPICS);

interface AskedKafka {
  /** Those whose consumer groups are asked for. */
  readonly services: readonly ServiceName[];
  readonly now: () => Date;
}

export const kafkaChecks = (values: StoreSettings, asked: AskedKafka): readonly Check[] => [
  { name: 'kafka', needs: 'Kafka', run: () => cluster(values, asked) },
  { name: 'topics', needs: 'Kafka', run: () => topics(values) },
];

async function cluster(values: StoreSettings, { services, now }: AskedKafka): Promise<readonly Finding[]> {
  const groups = services.flatMap((name) => databaseOfService(name).groups);
  const facts = await inspectCluster(kafkaOptionsOf(values, 'dsr'), {
    groups: Object.fromEntries(groups.map((group) => [group, CONSUMER_GROUPS[group]])),
    topics: definitions.map(({ name }) => name),
    date: new Date(now().getTime() + CLOCK_FAIL_MS),
    deadlineMs: ASK_WITHIN_MS,
  });
  return [...brokers(facts, values), ...facts.groups.map(groupFinding), ...clocks(facts)];
}

function brokers({ brokers: count, atLeast }: ClusterFacts, { TOPIC_REPLICATION: copies }: StoreSettings): Finding[] {
  const isSupported = atLeast !== undefined && Number(atLeast) >= Number(OLDEST_KAFKA);
  return [
    isSupported
      ? ok('kafka', `it answers, as ${atLeast} or later does, with ${count} ${count === 1 ? 'broker' : 'brokers'}`)
      : fail(
          'kafka',
          `it behaves like a release before ${OLDEST_KAFKA}`,
          `upgrade it: ${OLDEST_KAFKA} is the oldest supported release`,
        ),
    ...(count < copies
      ? [
          fail(
            'kafka',
            `there are ${count} brokers, and TOPIC_REPLICATION is ${copies}`,
            'start more brokers, or lower it',
          ),
        ]
      : []),
  ];
}

function groupFinding(facts: GroupFacts): Finding {
  const check = `consumer group ${facts.group}`;
  if ('isDenied' in facts) return fail(check, 'Kafka does not let this user describe it', GIVE_RIGHTS);
  const { state, members, lagRecords } = facts;
  const found = `${state}, ${members} ${members === 1 ? 'member' : 'members'}, ${lagRecords} records behind`;
  if (members === 0)
    return warn(check, found, 'it has no consumer: start its service, unless it is stopped on purpose');
  return lagRecords > MUCH_LAG_RECORDS
    ? warn(check, found, 'see docker/RUNBOOK.md: add processes, or find what delays them')
    : ok(check, found);
}

const clocks = ({ fromTheFuture }: ClusterFacts): Finding[] =>
  fromTheFuture.length === 0
    ? [ok('clocks of producers', `no record is dated more than ${CLOCK_FAIL_MS} ms after this machine’s time`)]
    : [
        fail(
          'clocks of producers',
          `records are dated more than ${CLOCK_FAIL_MS} ms after this machine’s time, in ${fromTheFuture.join(', ')}`,
          'synchronise this machine and those of the services by NTP',
        ),
      ];

async function topics(values: StoreSettings): Promise<readonly Finding[]> {
  const log = await openEvents(values, 'dsr');
  try {
    return topicFindings(await log.topics.compare(definitions, replicationOf(values)));
  } finally {
    await log.close();
  }
}

/** Checks the topics of either event log. */
export function topicFindings(states: readonly TopicState[]): readonly Finding[] {
  const wrong = states.flatMap(({ name, exists, differences, tolerated }) => {
    if (!exists) return [fail('topics', `topic ${name} does not exist`, 'create it: dsr topics apply')];
    return [
      ...differences.map((difference) =>
        fail('topics', difference, 'change it with the tools of Kafka; the services do not start until then'),
      ),
      ...tolerated.map((difference) =>
        warn('topics', difference, 'put it back with the tools of Kafka once no group needs the older records'),
      ),
    ];
  });
  return wrong.length > 0 ? wrong : [ok('topics', 'all are correct')];
}
