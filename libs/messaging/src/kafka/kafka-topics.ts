import { ConfigResourceTypes } from 'kafkajs';
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import type { Replication, TopicDefinition, Topics, TopicsReport, TopicState } from '../port';
import { withAdmin } from './client';
import { retentionState } from '../retention-state';
import { leaderMoved, unknownTopic } from './faults';
import type { ClusterNames } from './cluster-names';
import { retryUntilSettled } from './retry-until-settled';

/** A broker's own default is a few bytes more, or the same. Records and batches are smaller (`MAX_RECORD_BYTES`). */
const MESSAGE_BYTES = 1_048_576;

function settingsOf(definition: TopicDefinition, { minIsr }: Replication): Readonly<Record<string, string>> {
  return {
    'cleanup.policy': definition.isCompacted ? 'compact' : 'delete',
    'compression.type': 'producer',
    'max.message.bytes': String(MESSAGE_BYTES),
    'min.insync.replicas': String(minIsr),
    'retention.ms': String(definition.retentionMs),
    'unclean.leader.election.enable': 'false',
    ...(definition.segmentMs !== undefined && { 'segment.ms': String(definition.segmentMs) }),
  };
}

interface Found {
  readonly partitions: number;
  readonly replication: number;
  readonly settings: ReadonlyMap<string, string>;
}

const unsettled = (error: unknown): boolean => unknownTopic(error) || leaderMoved(error);

/** Topics of a cluster: an operator creates them once (`dsr topics apply`), every boot compares them. */
export class KafkaTopics implements Topics {
  constructor(
    private readonly newClient: () => Kafka,
    private readonly names: ClusterNames,
  ) {}

  apply(definitions: readonly TopicDefinition[], replication: Replication): Promise<TopicsReport> {
    return withAdmin(this.newClient(), async (admin) => {
      const present = new Set(await admin.listTopics());
      const missing = definitions.filter(({ name }) => !present.has(this.names.toCluster(name)));
      const topics = missing.map((definition) => this.toCreate(definition, replication));
      // kafkajs's own wait for leaders fails on a broker that does not know the new topic yet.
      if (topics.length > 0) await admin.createTopics({ topics, waitForLeaders: false });
      await retryUntilSettled(() => this.describe(admin, missing), unsettled);
      const created = missing.map(({ name }) => name);
      return { created, existing: definitions.map(({ name }) => name).filter((name) => !created.includes(name)) };
    });
  }

  compare(definitions: readonly TopicDefinition[], replication: Replication): Promise<readonly TopicState[]> {
    return withAdmin(this.newClient(), async (admin) => {
      const present = new Set(await admin.listTopics());
      const there = definitions.filter(({ name }) => present.has(this.names.toCluster(name)));
      // A topic that one broker lists may be unknown to the next one.
      const found = await retryUntilSettled(() => this.describe(admin, there), unsettled);
      return definitions.map((definition) => {
        const topic = found.get(definition.name);
        return {
          name: definition.name,
          exists: topic !== undefined,
          ...(topic ? compared(definition, replication, topic) : { differences: [], tolerated: [] }),
        };
      });
    });
  }

  private toCreate(definition: TopicDefinition, replication: Replication): ITopicConfig {
    return {
      topic: this.names.toCluster(definition.name),
      numPartitions: definition.partitions,
      replicationFactor: replication.replication,
      configEntries: Object.entries(settingsOf(definition, replication)).map(([name, value]) => ({ name, value })),
    };
  }

  private async describe(admin: Admin, definitions: readonly TopicDefinition[]): Promise<ReadonlyMap<string, Found>> {
    if (definitions.length === 0) return new Map();
    const names = definitions.map(({ name }) => this.names.toCluster(name));
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
    });
    return new Map(
      topics.map(({ name, partitions }) => {
        const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
        const settings = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
        const replication = Math.min(...partitions.map(({ replicas }) => replicas.length));
        return [this.names.fromCluster(name), { partitions: partitions.length, replication, settings }];
      }),
    );
  }
}

function compared(
  definition: TopicDefinition,
  replication: Replication,
  found: Found,
): Pick<TopicState, 'differences' | 'tolerated'> {
  const line = (what: string, is: unknown, should: unknown) =>
    String(is) === String(should)
      ? []
      : [`topic ${definition.name}: ${what} is ${String(is)}, should be ${String(should)}`];
  const { 'retention.ms': _, 'max.message.bytes': messageBytes, ...settings } = settingsOf(definition, replication);
  const largest = found.settings.get('max.message.bytes');
  const retention = retentionState(definition, Number(found.settings.get('retention.ms')));
  const differences = [
    ...line('number of partitions', found.partitions, definition.partitions),
    // More of them are harmless, and there are more while a partition moves to other brokers.
    ...line('replication factor', Math.min(found.replication, replication.replication), replication.replication),
    ...Object.entries(settings).flatMap(([name, value]) => line(name, found.settings.get(name), value)),
    ...(Number(largest) >= MESSAGE_BYTES ? [] : line('max.message.bytes', largest, `at least ${messageBytes}`)),
    ...retention.differences,
  ];
  return { differences, tolerated: retention.tolerated };
}
