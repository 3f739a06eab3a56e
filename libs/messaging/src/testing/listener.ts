import type { Consumer, ConsumeOptions, EventLog } from '../port';
import type { LogRecord, Verdict } from '../records';
import { MemoryParking } from './memory-parking';

type Answer = (records: readonly LogRecord[]) => Verdict[] | Promise<Verdict[]>;

export class ServerAway extends Error {
  override readonly name = 'ServerAway';
}

export const allDone: Answer = (records) => records.map(() => 'done');

/** A member of a group that remembers what was handed to it and what it answered. */
export class Listener {
  readonly parking: MemoryParking;
  /** Records whose batch was answered. */
  readonly handled: LogRecord[] = [];
  readonly calls: (readonly LogRecord[])[] = [];
  fatal: Error | undefined;

  private constructor(
    private readonly answer: Answer,
    parking: MemoryParking,
  ) {
    this.parking = parking;
  }

  static async join(
    log: EventLog,
    group: string,
    topics: readonly string[],
    more: Partial<Pick<ConsumeOptions, 'maxBatch'>> & { answer?: Answer; parking?: MemoryParking } = {},
  ): Promise<[Listener, Consumer]> {
    const listener = new Listener(more.answer ?? allDone, more.parking ?? new MemoryParking());
    const consumer = await log.consume({
      group,
      topics,
      handle: (records) => listener.handle(records),
      parking: listener.parking,
      isInfrastructureError: (error) => error instanceof ServerAway,
      onFatal: (error) => (listener.fatal = error),
      ...(more.maxBatch !== undefined && { maxBatch: more.maxBatch }),
    });
    return [listener, consumer];
  }

  get keys(): readonly string[] {
    return this.handled.map(({ key }) => key);
  }

  get values(): readonly string[] {
    return this.handled.map(({ value }) => value.toString());
  }

  valuesOf(key: string): readonly string[] {
    return this.handled.filter((record) => record.key === key).map(({ value }) => value.toString());
  }

  get parked(): readonly (readonly [key: string, value: string, reason: string])[] {
    return this.parking.parked.map(({ record, reason }) => [record.key, record.value.toString(), reason]);
  }

  private async handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    this.calls.push(records);
    const verdicts = await this.answer(records);
    this.handled.push(...records);
    return verdicts;
  }
}
