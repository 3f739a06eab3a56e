import { setTimeout as delay } from 'node:timers/promises';
import {
  GroupInUse,
  PublishRefused,
  PublishTimeout,
  settleBatch,
  type Consumer,
  type ConsumeOptions,
  type EventLog,
  type LogRecord,
  type OutgoingRecord,
  type PartitionLag,
  type Positions,
  type Publisher,
  type Topics,
} from '@opendsr-service/messaging';
import type { Chance } from '../engine/chance';
import type { Owner } from '../engine/owner';
import type { Fate, Gate } from '../engine/step';
import type { Batch, Broker, Seat } from './broker';

const PUBLISH_PATIENCE_MS = 15_000;
const COMMIT_PATIENCE_MS = 10_000;
const LARGEST_BATCH = 20;
const PAUSE_MS = 400;
const LOOK_MS = 3_000;

/** The member of a group that reads, as the broker knows it. */
export type Reader = object;

interface SimulatedLogParts {
  readonly broker: Broker<Reader>;
  readonly gate: Gate;
  readonly owner: Owner;
  readonly chance: Chance;
}

/** The log as one process sees it. Its consumers answer for batches by the rules of the real ones (decision 6). */
export class SimulatedLog implements EventLog {
  readonly kind = 'kafka';
  readonly publisher: Publisher;
  readonly topics: Topics = {
    apply: () => Promise.resolve({ created: [], existing: [] }),
    compare: () => Promise.resolve([]),
  };
  private readonly consumers: SimulatedConsumer[] = [];

  constructor(private readonly parts: SimulatedLogParts) {
    this.publisher = new SimulatedPublisher(parts);
  }

  openPublisher(): Promise<void> {
    return Promise.resolve();
  }

  consume(options: ConsumeOptions): Promise<Consumer> {
    const consumer = new SimulatedConsumer(this.parts, options);
    this.consumers.push(consumer);
    return Promise.resolve(consumer);
  }

  async read(
    topic: string,
    from: Positions,
    take: (records: readonly LogRecord[]) => Promise<void>,
  ): Promise<Positions> {
    const { gate, owner, broker } = this.parts;
    const records = await gate.enter(owner, { what: `read ${topic}`, mayBe: [], run: () => broker.recordsOf(topic) });
    const positions: Record<string, string> = { ...from };
    const isNew = ({ partition, offset }: LogRecord): boolean => Number(offset) >= Number(from[partition] ?? 0);
    for (const record of records.filter(isNew)) {
      await take([record]);
      positions[record.partition] = String(Number(record.offset) + 1);
    }
    return positions;
  }

  /** For operators, who are none of the simulation. */
  readKey(): Promise<never> {
    return Promise.reject(new Error('nobody reads a key of the simulated log'));
  }

  lag(group: string, topics: readonly string[]): Promise<readonly PartitionLag[]> {
    const { gate, owner, broker } = this.parts;
    return gate.enter(owner, { what: `lag of ${group}`, mayBe: [], run: () => broker.lag(group, topics) });
  }

  hasMembers(group: string): Promise<boolean> {
    return Promise.resolve(this.parts.broker.hasMembers(group));
  }

  rewind(group: string): Promise<void> {
    if (this.parts.broker.hasMembers(group)) return Promise.reject(new GroupInUse(group));
    this.parts.broker.rewind(group);
    return Promise.resolve();
  }

  /** What a process that died leaves: its seats go to others. */
  leave(): void {
    for (const consumer of this.consumers) consumer.leave();
  }

  close(): Promise<void> {
    this.leave();
    return Promise.resolve();
  }
}

/**
 * Publishing as the port promises it: acknowledged, refused, or a time limit after which the records are there, come
 * later, or never come.
 */
class SimulatedPublisher implements Publisher {
  constructor(private readonly parts: SimulatedLogParts) {}

  get available(): boolean {
    return this.parts.broker.isAvailable;
  }

  async publish(topic: string, records: readonly OutgoingRecord[]): Promise<void> {
    const { gate, owner, broker } = this.parts;
    const what = `publish to ${topic}: ${records.map(({ headers }) => headers['ce_type']?.split('.').at(-2)).join(', ')}`;
    await gate.enter(owner, {
      what,
      mayBe: ['refused', 'lost', 'late'],
      patienceMs: PUBLISH_PATIENCE_MS,
      run: (fate) => this.write(broker.batchesOf(topic, records), fate),
    });
  }

  private write(batches: readonly Batch[], fate: Fate): void {
    const { broker, chance } = this.parts;
    if (!broker.isAvailable) throw new PublishRefused('away', 'the simulated log is away');
    if (fate === 'refused')
      throw chance.happens(0.5)
        ? new PublishRefused('full', 'the simulated log takes no more')
        : new PublishTimeout('the simulated log does not answer');
    for (const batch of batches) {
      // Of several partitions some may have been written by the time that one fails.
      if (fate === 'late' && chance.happens(0.7)) broker.writeLater(batch);
      else broker.write(batch);
    }
    if (fate !== 'done') throw new PublishTimeout('the simulated log does not answer');
  }
}

/** A member of a group: reads what its seats hold, answers for it, commits. */
class SimulatedConsumer implements Consumer {
  readonly state = 'consuming';
  private readonly reading = new Set<Seat<Reader>>();
  private isClosed = false;

  constructor(
    private readonly parts: SimulatedLogParts,
    private readonly options: ConsumeOptions,
  ) {
    for (const topic of options.topics) parts.broker.join(options.group, topic, this);
    void this.lookForSeats();
  }

  leave(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const topic of this.options.topics) this.parts.broker.leave(this.options.group, topic, this);
  }

  close(): Promise<void> {
    this.leave();
    return Promise.resolve();
  }

  lag(): Promise<[]> {
    return Promise.resolve([]);
  }

  /** Seats come when others die or the broker moves them. */
  private async lookForSeats(): Promise<void> {
    while (!this.isClosed) {
      for (const seat of this.parts.broker.seatsHeldBy(this)) {
        if (!this.reading.has(seat)) void this.readSeat(seat);
      }
      await delay(LOOK_MS);
    }
  }

  private async readSeat(seat: Seat<Reader>): Promise<void> {
    this.reading.add(seat);
    this.options.parking.assigned();
    let position = seat.committed;
    while (this.holds(seat)) position = await this.readBatch(seat, position);
    this.reading.delete(seat);
  }

  private holds(seat: Seat<Reader>): boolean {
    return !this.isClosed && seat.holder === this;
  }

  /** Answers where reading goes on. */
  private async readBatch(seat: Seat<Reader>, position: number): Promise<number> {
    const { records, next } = await this.fetch(seat, position);
    if (!this.holds(seat)) return position;
    const rules = {
      ...this.options,
      handle: (of: readonly LogRecord[]) => this.options.handle(of),
      logger: this.options.logger ?? { warn: () => undefined, info: () => undefined },
    };
    const { settled, fault } =
      records.length === 0 ? { settled: 0, fault: undefined } : await settleBatch(records, rules);
    const reached =
      settled === records.length ? next : settled === 0 ? position : Number(records[settled - 1]?.offset) + 1;
    await this.commit(seat, reached);
    if (fault !== undefined) await delay(PAUSE_MS);
    return reached;
  }

  private fetch(
    seat: Seat<Reader>,
    position: number,
  ): Promise<{ readonly records: readonly LogRecord[]; readonly next: number }> {
    const { gate, owner, broker, chance } = this.parts;
    return gate.enter(owner, {
      what: `${this.options.group} reads ${seat.topic}/${seat.partition}`,
      mayBe: [],
      // A commit that failed is made up for when there is nothing else to do.
      isReady: () => !this.holds(seat) || broker.hasMore(seat, position) || position > seat.committed,
      run: () => broker.read(seat, position, chance.between(1, LARGEST_BATCH)),
    });
  }

  /** Only the holder of a seat can commit; that it failed shows when the records come again. */
  private async commit(seat: Seat<Reader>, position: number): Promise<void> {
    if (position <= seat.committed) return;
    await this.parts.gate.enter(this.parts.owner, {
      what: `${this.options.group} commits ${seat.topic}/${seat.partition}`,
      mayBe: ['refused'],
      patienceMs: COMMIT_PATIENCE_MS,
      run: (fate) => {
        if (fate === 'done' && this.holds(seat)) seat.committed = Math.max(seat.committed, position);
      },
    });
  }
}
