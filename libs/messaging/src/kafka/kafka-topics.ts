import { ConfigResourceTypes } from 'kafkajs';
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import type { Replication, TopicDefinition, Topics, TopicsReport } from '../port';
import { withAdmin } from './client';
import type { Names } from './names';

function settingsOf(definition: TopicDefinition, { minIsr }: Replication): Readonly<Record<string, string>> {
  return {
    'cleanup.policy': 'delete',
    'compression.type': 'producer',
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

/** Topics of a cluster: made once, by hand of an operator (`dsr topics apply`), and compared at every boot. */
export class KafkaTopics implements Topics {
  constructor(
    private readonly newClient: () => Kafka,
    private readonly names: Names,
  ) {}

  apply(definitions: readonly TopicDefinition[], replication: Replication): Promise<TopicsReport> {
    return withAdmin(this.newClient(), async (admin) => {
      const present = new Set(await admin.listTopics());
      const missing = definitions.filter(({ name }) => !present.has(this.names.onCluster(name)));
      const topics = missing.map((definition) => this.toCreate(definition, replication));
      if (topics.length > 0) await admin.createTopics({ topics, waitForLeaders: true });
      const created = missing.map(({ name }) => name);
      return { created, existing: definitions.map(({ name }) => name).filter((name) => !created.includes(name)) };
    });
  }

  check(definitions: readonly TopicDefinition[], replication: Replication): Promise<readonly string[]> {
    return withAdmin(this.newClient(), async (admin) => {
      const present = new Set(await admin.listTopics());
      const there = definitions.filter(({ name }) => present.has(this.names.onCluster(name)));
      const found = await this.describe(admin, there);
      return definitions.flatMap((definition) => {
        const topic = found.get(definition.name);
        return topic ? differences(definition, replication, topic) : [`topic ${definition.name} does not exist`];
      });
    });
  }

  missing(definitions: readonly TopicDefinition[]): Promise<readonly string[]> {
    return withAdmin(this.newClient(), async (admin) => {
      const present = new Set(await admin.listTopics());
      return definitions.map(({ name }) => name).filter((name) => !present.has(this.names.onCluster(name)));
    });
  }

  private toCreate(definition: TopicDefinition, replication: Replication): ITopicConfig {
    return {
      topic: this.names.onCluster(definition.name),
      numPartitions: definition.partitions,
      replicationFactor: replication.replication,
      configEntries: Object.entries(settingsOf(definition, replication)).map(([name, value]) => ({ name, value })),
    };
  }

  private async describe(admin: Admin, definitions: readonly TopicDefinition[]): Promise<ReadonlyMap<string, Found>> {
    if (definitions.length === 0) return new Map();
    const names = definitions.map(({ name }) => this.names.onCluster(name));
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
        return [this.names.ours(name), { partitions: partitions.length, replication, settings }];
      }),
    );
  }
}

function differences(definition: TopicDefinition, replication: Replication, found: Found): string[] {
  const line = (what: string, is: unknown, should: unknown) => (String(is) === String(should) ? [] : [`topic ${definition.name}: ${what} is ${String(is)}, should be ${String(should)}`]);
  return [
    ...line('number of partitions', found.partitions, definition.partitions),
    ...line('replication factor', found.replication, replication.replication),
    ...Object.entries(settingsOf(definition, replication)).flatMap(([name, value]) => line(name, found.settings.get(name), value)),
  ];
}
