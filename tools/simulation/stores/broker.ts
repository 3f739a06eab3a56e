import { createHash } from 'node:crypto';
import type { LogRecord, OutgoingRecord, PartitionLag } from '@opendsr-service/messaging';

/** The partitions of every topic: enough to separate keys, few enough that keys share one. */
const PARTITIONS = 3;
/** A repeated batch is at most this many batches old. */
const RECENT = 20;

/** Records of one partition that go into the log together, or not at all. */
export interface Batch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly OutgoingRecord[];
}

/** One partition of a topic as a group reads it. */
export interface Seat<M> {
  readonly log: (LogRecord | undefined)[];
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  committed: number;
  /** Who reads it. A reader that lost it goes on with its batch, and cannot commit. */
  holder: M | undefined;
}

/**
 * A log in memory as several processes see it: partitions, groups with positions, and what may go wrong on a broker.
 * `M`: a member of a group.
 */
export class Broker<M> {
  /** False while the log is known to be away. */
  isAvailable = true;
  /** Hears of each record once it is in the log. */
  heard: (record: LogRecord) => void = () => undefined;
  /** Whether a record is lost although it is acknowledged. */
  isLost: (batch: Batch, record: OutgoingRecord) => boolean = () => false;
  /** Which of the earlier batches of its partition comes once more behind a batch, from 0 up to 1; undefined: none. */
  repeats: () => number | undefined = () => undefined;
  private readonly partitions = new Map<string, (LogRecord | undefined)[]>();
  private readonly seats: Seat<M>[] = [];
  private readonly members = new Map<string, M[]>();
  private readonly onTheWay: Batch[] = [];
  private readonly written: Batch[] = [];

  constructor(private readonly nowMs: () => number) {}

  batchesOf(topic: string, records: readonly OutgoingRecord[]): Batch[] {
    const batches = new Map<number, OutgoingRecord[]>();
    for (const record of records) {
      const partition = createHash('md5').update(record.key).digest().readUInt32BE(0) % PARTITIONS;
      const batch = batches.get(partition);
      if (batch) batch.push(record);
      else batches.set(partition, [record]);
    }
    return [...batches].map(([partition, of]) => ({ topic, partition, records: of }));
  }

  write(batch: Batch): void {
    this.append(batch);
    const earlier = this.written
      .filter(({ topic, partition }) => topic === batch.topic && partition === batch.partition)
      .slice(-RECENT);
    this.written.push(batch);
    const again = this.repeats();
    const repeated = again === undefined ? undefined : earlier[Math.floor(again * earlier.length)];
    if (repeated) this.append(repeated);
  }

  /** Writes it later, also after the death of the writer. */
  writeLater(batch: Batch): void {
    this.onTheWay.push(batch);
  }

  get lateBatches(): number {
    return this.onTheWay.length;
  }

  /** Writes one of those that are on their way; `choice` is from 0 up to 1. */
  arrive(choice: number): void {
    const [batch] = this.onTheWay.splice(Math.floor(choice * this.onTheWay.length), 1);
    if (batch) this.write(batch);
  }

  /** Writes a batch once more, one of the last ones. */
  repeat(choice: number): void {
    const recent = this.written.slice(-RECENT);
    const batch = recent[Math.floor(choice * recent.length)];
    if (batch) this.write(batch);
  }

  /** Whether a seat has something to read from a position on. */
  hasMore({ log }: Seat<M>, position: number): boolean {
    return log.length > position;
  }

  read(
    { log }: Seat<M>,
    position: number,
    most: number,
  ): { readonly records: readonly LogRecord[]; readonly next: number } {
    const next = Math.min(position + most, log.length);
    return { records: log.slice(position, next).filter((record) => record !== undefined), next };
  }

  recordsOf(topic: string): LogRecord[] {
    return [...Array(PARTITIONS).keys()].flatMap((partition) =>
      this.logOf(topic, partition).filter((record) => record !== undefined),
    );
  }

  join(group: string, topic: string, member: M): void {
    const members = this.membersOf(group, topic);
    members.push(member);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const known = this.seatsOf(group, topic).some((seat) => seat.partition === partition);
      if (!known)
        this.seats.push({
          group,
          topic,
          partition,
          log: this.logOf(topic, partition),
          committed: 0,
          holder: undefined,
        });
    }
    this.spread(group, topic);
  }

  leave(group: string, topic: string, member: M): void {
    this.members.set(
      `${group} ${topic}`,
      this.membersOf(group, topic).filter((other) => other !== member),
    );
    this.spread(group, topic);
  }

  hasMembers(group: string): boolean {
    return [...this.members].some(([name, members]) => name.startsWith(`${group} `) && members.length > 0);
  }

  lag(group: string, topics: readonly string[]): PartitionLag[] {
    return topics.flatMap((topic) =>
      this.seatsOf(group, topic).map(({ partition, log, committed }) => ({
        topic,
        partition,
        lag: log.length - committed,
        end: String(log.length),
      })),
    );
  }

  /** Lets a group without members read from the beginning. */
  rewind(group: string): void {
    for (const seat of this.seats) if (seat.group === group) seat.committed = 0;
  }

  /** Gives one seat to another member of its group, which the one before learns only later. */
  move(choice: number): Seat<M> | undefined {
    const movable = this.seats.filter(({ group, topic }) => this.membersOf(group, topic).length > 1);
    const seat = movable[Math.floor(choice * movable.length)];
    if (seat) seat.holder = this.membersOf(seat.group, seat.topic).find((member) => member !== seat.holder);
    return seat;
  }

  seatsHeldBy(member: M): Seat<M>[] {
    return this.seats.filter(({ holder }) => holder === member);
  }

  /** Whether every group has read all there is. */
  get isRead(): boolean {
    return this.onTheWay.length === 0 && this.seats.every((seat) => !this.hasMore(seat, seat.committed));
  }

  private append(batch: Batch): void {
    const { topic, partition } = batch;
    const log = this.logOf(topic, partition);
    for (const outgoing of batch.records) {
      const { key, value, headers } = outgoing;
      const record = {
        topic,
        partition,
        offset: String(log.length),
        key,
        value: Buffer.from(value),
        headers,
        timestampMs: this.nowMs(),
      };
      const isLost = this.isLost(batch, outgoing);
      log.push(isLost ? undefined : record);
      if (!isLost) this.heard(record);
    }
  }

  private spread(group: string, topic: string): void {
    const members = this.membersOf(group, topic);
    for (const seat of this.seatsOf(group, topic)) seat.holder = members[seat.partition % Math.max(1, members.length)];
  }

  private seatsOf(group: string, topic: string): Seat<M>[] {
    return this.seats.filter((seat) => seat.group === group && seat.topic === topic);
  }

  private membersOf(group: string, topic: string): M[] {
    return (
      this.members.get(`${group} ${topic}`) ??
      (this.members.set(`${group} ${topic}`, []).get(`${group} ${topic}`) as M[])
    );
  }

  private logOf(topic: string, partition: number): (LogRecord | undefined)[] {
    const name = `${topic} ${partition}`;
    return this.partitions.get(name) ?? (this.partitions.set(name, []).get(name) as (LogRecord | undefined)[]);
  }
}
