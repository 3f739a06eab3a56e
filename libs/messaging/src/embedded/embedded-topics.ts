import type { SqliteFile } from '@opendsr-service/storage';
import type { TopicDefinition, Topics, TopicsReport, TopicState } from '../port';
import { retentionState } from '../retention-state';
import { addTopic, compact, deleteBefore, expiredUpTo, findTopic, setRetention, topicNames } from './tables';

const pageRecords = 2_000;

/** Topics of the embedded log: one partition, no replication. */
export class EmbeddedTopics implements Topics {
  /** Named by each start; a record more than needed does no harm. */
  private readonly compacted = new Set<string>();

  constructor(
    private readonly file: SqliteFile,
    private readonly now: () => number,
  ) {}

  apply(definitions: readonly TopicDefinition[]): Promise<TopicsReport> {
    for (const { name, isCompacted } of definitions) if (isCompacted) this.compacted.add(name);
    return this.file.write((db) => {
      const missing = definitions.filter(({ name }) => !findTopic(db, name));
      missing.forEach(({ name, retentionMs }) => addTopic(db, name, retentionMs));
      const created = missing.map(({ name }) => name);
      return { created, existing: definitions.map(({ name }) => name).filter((name) => !created.includes(name)) };
    });
  }

  compare(definitions: readonly TopicDefinition[]): Promise<readonly TopicState[]> {
    const states = this.file.read((db) =>
      definitions.map((definition) => {
        const row = findTopic(db, definition.name);
        return {
          name: definition.name,
          exists: row !== undefined,
          ...retentionState(definition, row?.retentionMs ?? definition.retentionMs),
        };
      }),
    );
    return Promise.resolve(states);
  }

  retain(definitions: readonly TopicDefinition[]): Promise<void> {
    return this.file.write((db) => definitions.forEach(({ name, retentionMs }) => setRetention(db, name, retentionMs)));
  }

  /** Deletes expired and replaced records in pages, so that other writes can run in between. Throws the last topic's failure. */
  async sweep(): Promise<void> {
    const failures: unknown[] = [];
    for (const name of this.file.read(topicNames))
      await this.sweepTopic(name).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures.pop();
  }

  private async sweepTopic(name: string): Promise<void> {
    while (await this.sweepPage(name));
    while (this.compacted.has(name) && (await this.compactPage(name)) === pageRecords);
  }

  private compactPage(name: string): Promise<number> {
    return this.file.write((db) => {
      const topic = findTopic(db, name);
      return topic ? compact(db, topic, pageRecords) : 0;
    });
  }

  /** False where nothing was expired. */
  private async sweepPage(name: string): Promise<boolean> {
    const topic = this.file.read((db) => findTopic(db, name));
    if (!topic || topic.retentionMs < 0) return false;
    const end = this.file.read((db) => expiredUpTo(db, topic, this.now() - topic.retentionMs, pageRecords));
    if (end === topic.first) return false;
    await this.file.write((db) => deleteBefore(db, topic.id, end));
    return true;
  }
}
