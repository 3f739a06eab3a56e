import type { EventLog, LogRecord, Positions } from '@opendsr-service/messaging';
import type { Projection, StoredDocument } from './projection';

/** Called after every 100,000 records of a topic, and at its end. */
export type Progress = (topic: string, records: number) => void;

const PROGRESS_EVERY = 100_000;
/** Longer than the failover of a broker. */
const DEADLINE_MS = 30_000;

type ApplyRecords = (records: readonly LogRecord[]) => Promise<void>;

/** Folds the log into a scratch store. */
export class LogFold {
  private readonly positions = new Map<string, Positions>();
  /** The first record that each partition of the main topic still holds. */
  private readonly firsts = new Map<string, Pick<LogRecord, 'offset' | 'timestampMs'>>();
  private records = 0;

  constructor(
    private readonly log: Pick<EventLog, 'read'>,
    private readonly projection: Pick<Projection<StoredDocument>, 'topics'>,
    private readonly apply: ApplyRecords,
    private readonly progress: Progress,
  ) {}

  /** Reads each topic from its last position to its present end. Rejects with LogAway after 30 s. */
  async catchUp(): Promise<void> {
    for (const topic of this.projection.topics) {
      this.records = 0;
      const from = this.positions.get(topic) ?? {};
      this.positions.set(
        topic,
        await this.log.read(topic, from, (records) => this.applyRecords(topic, records), { deadlineMs: DEADLINE_MS }),
      );
      this.progress(topic, this.records);
    }
  }

  /** Since when the main topic is complete; undefined: nothing was deleted. `now` stands for an empty partition. */
  since(now: Date): Date | undefined {
    const [record = ''] = this.projection.topics;
    const begins = Object.entries(this.positions.get(record) ?? {}).flatMap(([partition, next]) => {
      const first = this.firsts.get(partition);
      if (first) return first.offset === '0' ? [] : [first.timestampMs];
      return next === '0' ? [] : [now.getTime()];
    });
    return begins.length === 0 ? undefined : new Date(Math.max(...begins));
  }

  private async applyRecords(topic: string, records: readonly LogRecord[]): Promise<void> {
    const [first] = records;
    if (first && topic === this.projection.topics[0]) this.noteFirst(first);
    await this.apply(records);
    const before = this.records;
    this.records += records.length;
    if (Math.floor(before / PROGRESS_EVERY) < Math.floor(this.records / PROGRESS_EVERY))
      this.progress(topic, this.records);
  }

  private noteFirst({ partition, offset, timestampMs }: LogRecord): void {
    if (!this.firsts.has(String(partition))) this.firsts.set(String(partition), { offset, timestampMs });
  }
}
