import type { SqliteFile } from '@opendsr-service/storage';
import type { TopicDefinition, Topics, TopicsReport, TopicState } from '../port';
import { addTopic, deleteBefore, findTopic, topicNames } from './tables';

const pageRecords = 2_000;

/** Topics of the embedded log: one partition, no replication. */
export class EmbeddedTopics implements Topics {
  constructor(
    private readonly file: SqliteFile,
    private readonly now: () => number,
  ) {}

  apply(definitions: readonly TopicDefinition[]): Promise<TopicsReport> {
    return this.file.write((db) => {
      const missing = definitions.filter(({ name }) => !findTopic(db, name));
      missing.forEach(({ name, retentionMs }) => addTopic(db, name, retentionMs));
      const created = missing.map(({ name }) => name);
      return { created, existing: definitions.map(({ name }) => name).filter((name) => !created.includes(name)) };
    });
  }

  compare(definitions: readonly TopicDefinition[]): Promise<readonly TopicState[]> {
    const states = this.file.read((db) =>
      definitions.map(({ name, retentionMs }) => {
        const row = findTopic(db, name);
        const same = !row || row.retentionMs === retentionMs;
        return {
          name,
          exists: row !== undefined,
          differences: same ? [] : [`topic ${name}: retention.ms is ${row.retentionMs}, should be ${retentionMs}`],
        };
      }),
    );
    return Promise.resolve(states);
  }

  /** Deletes expired records in pages, so that other writes can run in between. */
  async sweep(): Promise<void> {
    for (const name of this.file.read(topicNames)) {
      while ((await this.sweepPage(name)) === pageRecords);
    }
  }

  private async sweepPage(name: string): Promise<number> {
    const nowMs = this.now();
    const row = this.file.read((db) => findTopic(db, name));
    if (!row || row.retentionMs < 0 || row.first === row.next) return 0;
    return this.file.write((db) => {
      const topic = findTopic(db, name);
      return topic ? deleteBefore(db, topic, nowMs - topic.retentionMs, pageRecords) : 0;
    });
  }
}
