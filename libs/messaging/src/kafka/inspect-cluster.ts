import { withDeadline } from '@opendsr-service/contracts';
import type { Admin, Kafka } from 'kafkajs';
import { LogAway } from '../errors';
import { silentLogger } from '../consumption/silent-logger';
import { createClient, withAdmin, type KafkaOptions } from './client';
import { coordinatorMoved, groupDenied, leaderMoved } from './faults';
import { lagsOf, type PartitionEnds } from './kafka-lag';
import { withLenientCluster } from './lenient-cluster';
import { ClusterNames } from './cluster-names';
import { retryUntilSettled } from './retry-until-settled';

interface GroupState {
  readonly group: string;
  readonly state: string;
  readonly members: number;
  /** Lag of all partitions; without a position all records of a partition count. */
  readonly lagRecords: number;
}

/** A group of which the cluster tells this principal nothing. */
interface GroupDenied {
  readonly group: string;
  readonly isDenied: true;
}

/** What the cluster tells of a group. */
export type GroupFacts = GroupState | GroupDenied;

export interface ClusterFacts {
  readonly brokers: number;
  /** Oldest release with the protocol of the cluster, such as `3.9`; undefined: older than 2.3. */
  readonly atLeast: string | undefined;
  readonly groups: readonly GroupFacts[];
  /** Topics with records dated after `date`: the clock of their writer is ahead of ours. */
  readonly fromTheFuture: readonly string[];
}

interface ClusterQuery {
  /** Each with its topics; topics that do not exist are ignored. */
  readonly groups: Readonly<Record<string, readonly { readonly name: string }[]>>;
  readonly topics: readonly string[];
  readonly date: Date;
  /** Limit of the whole inspection; LogAway afterwards. */
  readonly deadlineMs: number;
}

/** Highest version of Fetch by release: clusters report no release, only API versions. */
const FETCH_OF_RELEASES: readonly (readonly [version: number, release: string])[] = [
  [17, '3.9'],
  [16, '3.7'],
  [15, '3.5'],
  [13, '3.1'],
  [12, '2.7'],
  [11, '2.3'],
];
const FETCH = 1;

/** Inspects a cluster with a service's rights. Rejects with LogAway, a ConnectionFault, or the client's error. */
export async function inspectCluster(options: KafkaOptions, query: ClusterQuery): Promise<ClusterFacts> {
  const kafka = createClient(options, silentLogger);
  const names = new ClusterNames(options.topicPrefix ?? '');
  const ask = () =>
    withAdmin(kafka, async (admin) => ({
      brokers: (await admin.describeCluster()).brokers.length,
      atLeast: await findRelease(kafka),
      ...(await inspectTopics(admin, names, query)),
    }));
  // Half of the time, so that a persistent error is reported itself.
  const facts = retryUntilSettled(ask, (error) => leaderMoved(error) || coordinatorMoved(error), query.deadlineMs / 2);
  return withDeadline(facts, query.deadlineMs, () => {
    throw new LogAway(`the log did not answer within ${query.deadlineMs} ms`);
  });
}

/** kafkajs reads the API versions of every broker but does not export them. */
const findRelease = (kafka: Kafka): Promise<string | undefined> =>
  withLenientCluster(kafka, [], ({ brokerPool: { versions } }) => {
    const spoken = versions?.[FETCH]?.maxVersion ?? 0;
    return Promise.resolve(FETCH_OF_RELEASES.find(([version]) => spoken >= version)?.[1]);
  });

async function inspectTopics(
  admin: Admin,
  names: ClusterNames,
  { groups, topics, date }: ClusterQuery,
): Promise<Pick<ClusterFacts, 'groups' | 'fromTheFuture'>> {
  const there = new Set(await admin.listTopics());
  const found = topics.map((topic) => names.toCluster(topic)).filter((topic) => there.has(topic));
  const ends = new Map<string, readonly PartitionEnds[]>();
  const fromTheFuture: string[] = [];
  for (const topic of found) {
    const partitions = await admin.fetchTopicOffsets(topic);
    const high = new Map(partitions.map((end) => [end.partition, BigInt(end.high)]));
    const later = await admin.fetchTopicOffsetsByTimestamp(topic, date.getTime());
    ends.set(topic, partitions);
    if (later.some(({ partition, offset }) => BigInt(offset) < (high.get(partition) ?? 0n)))
      fromTheFuture.push(names.fromCluster(topic));
  }
  const facts: GroupFacts[] = [];
  for (const [group, read] of Object.entries(groups)) {
    const groupId = names.toCluster(group);
    const known = read.map(({ name }) => names.toCluster(name)).filter((topic) => ends.has(topic));
    const state = stateOf(admin, groupId, known, ends).catch((error: unknown) => {
      if (groupDenied(error)) return { isDenied: true } as const;
      throw error;
    });
    facts.push({ group, ...(await state) });
  }
  return { groups: facts, fromTheFuture };
}

async function stateOf(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
  ends: ReadonlyMap<string, readonly PartitionEnds[]>,
): Promise<Omit<GroupState, 'group'>> {
  const { groups } = await admin.describeGroups([groupId]);
  const [{ state, members } = { state: 'Dead', members: [] }] = groups;
  return { state, members: members.length, lagRecords: await lagOf(admin, groupId, topics, ends) };
}

async function lagOf(
  admin: Admin,
  groupId: string,
  topics: readonly string[],
  ends: ReadonlyMap<string, readonly PartitionEnds[]>,
): Promise<number> {
  // Without a topic, kafkajs reads all positions of the group.
  if (topics.length === 0) return 0;
  const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
  return committed
    .flatMap(({ topic, partitions }) => lagsOf(ends.get(topic) ?? [], partitions))
    .reduce((sum, { lag }) => sum + lag, 0);
}
