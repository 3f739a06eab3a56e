import type { Spread } from './statistics';

/** Batches of events from their 202 to where they are stored. */
export interface EventsMeasured {
  readonly batchesPerSecond: number;
  readonly eventsPerSecond: number;
  /** What a bare kafkajs producer makes of the same bytes on the same broker, batches a second; null: there is no broker. */
  readonly bareProducerPerSecond: number | null;
  /** From the last 202 until the last batch was stored. */
  readonly drainMs: number;
  readonly faults: readonly string[];
  /** CPU milliseconds of each part for one batch. */
  readonly cpuMsEach: Readonly<Record<string, number>>;
}

/** How late a process answers the simplest question while it works: what its event loop makes others wait. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly longestMs: number;
}

export interface ExportMeasured {
  readonly events: number;
  readonly megabytes: number;
  /** From the start of the request to its completion. */
  readonly seconds: number;
  readonly downloadSeconds: number;
  /** The most memory that each process had at any moment of it. */
  readonly peakMiB: Readonly<Record<string, number>>;
  readonly loopDelay: Readonly<Record<string, LoopDelay>>;
  readonly faults: readonly string[];
}

export interface LookupMeasured {
  readonly profiles: number;
  readonly spread: Spread | null;
  readonly faults: readonly string[];
}

/** What a form does with data of persons; null: not measured. */
export interface DataResult {
  readonly events: EventsMeasured | null;
  readonly exports: readonly ExportMeasured[];
  readonly lookups: readonly LookupMeasured[];
}

export const DATA_MEASUREMENTS = ['events', 'exports', 'lookups'] as const;
export type DataMeasurement = (typeof DATA_MEASUREMENTS)[number];

export const faultsOfData = ({ events, exports, lookups }: DataResult): string[] => [
  ...(events?.faults ?? []).map((fault) => `events: ${fault}`),
  ...[...exports, ...lookups].flatMap(({ faults }) => faults),
];
