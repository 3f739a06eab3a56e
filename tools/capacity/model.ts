import { TOPICS, type Topic } from '@opendsr-service/contracts';
import { PROCESSES, type CpuMs, type Figures, type Part } from './figures';

export interface Load {
  readonly createsPerSecond: number;
  /** How long requests and events are kept. */
  readonly retentionDays: number;
  /** Of a machine of MongoDB or Kafka. */
  readonly cores: number;
}

/** What no bench measures. docs/sizing.md states each of them. */
export const ASSUMED = {
  callbacksPerCreate: 3,
  readsPerCreate: 1,
  /** How much of a processor and of a disk's rate a plan uses; the rest is for peaks, and for a machine that is lost. */
  utilisation: 0.6,
  /** How full disks get. */
  diskFill: 0.7,
  copies: 3,
  leastReplicas: 2,
  leastBrokers: 3,
  diskBytes: 4e12,
  diskBytesPerSecond: 2e8,
  partitionBytesPerSecond: 5e6,
} as const;

/** A kind of part that a plan has some of. */
export interface Component {
  readonly name: string;
  readonly count: number;
  /** Creates a second that one of them carries; for partitions, one that is there. */
  readonly onePerSecond: number;
  /** Creates a second that all of them carry. */
  readonly carriesPerSecond: number;
}

export interface Plan extends Load {
  readonly components: readonly Component[];
  /** What carries the least of all. */
  readonly saturatesFirst: string;
  readonly diskGbOfShardMember: number;
  readonly diskGbOfBroker: number;
  /** Between all processes and the primaries, and to all brokers with their copies. */
  readonly mongodbMbPerSecond: number;
  readonly kafkaMbPerSecond: number;
}

const DAY_S = 86_400;
const SECOND_MS = 1_000;

/** How many of each part carry a load, and which part carries the least. Costs grow with the load and with nothing else. */
export function planFor(figures: Figures, load: Load): Plan {
  const shards = shardsFor(figures, load);
  const brokers = brokersFor(figures, load);
  const components = [...processesFor(figures, load), partitionsFor(figures, load), brokers, shards];
  const least = components.reduce((a, b) => (b.carriesPerSecond < a.carriesPerSecond ? b : a));
  const { mongodb } = figures.stores;
  return {
    ...load,
    components,
    saturatesFirst: least.name,
    diskGbOfShardMember: gigabytes(keptInMongodb(figures, load) / shards.count),
    diskGbOfBroker: gigabytes(keptInKafka(figures, load) / brokers.count),
    mongodbMbPerSecond: (load.createsPerSecond * (mongodb.bytesIn + mongodb.bytesOut)) / 1e6,
    kafkaMbPerSecond: (load.createsPerSecond * ASSUMED.copies * topicBytes(figures)) / 1e6,
  };
}

/** CPU milliseconds of a part for one create, with all that follows from it. */
export const cpuMsPerCreate = (
  { life, callback, read }: Record<'life' | 'callback' | 'read', CpuMs>,
  part: Part,
): number => life[part] + ASSUMED.callbacksPerCreate * callback[part] + ASSUMED.readsPerCreate * read[part];

const carriedBy = (cores: number, cpuMs: number): number => (ASSUMED.utilisation * cores * SECOND_MS) / cpuMs;

function component(name: string, least: number, { createsPerSecond }: Load, onePerSecond: number): Component {
  const count = Math.max(least, Math.ceil(createsPerSecond / onePerSecond));
  return { name, count, onePerSecond, carriesPerSecond: count * onePerSecond };
}

const processesFor = (figures: Figures, load: Load): Component[] =>
  PROCESSES.map((name) => component(name, ASSUMED.leastReplicas, load, carriedBy(1, cpuMsPerCreate(figures, name))));

/** The request service works only on what its partitions bring, and partitions never change. */
function partitionsFor(figures: Figures, load: Load): Component {
  const { name, partitions } = TOPICS.commands;
  const bytes = figures.stores.topics[name]?.bytes ?? 0;
  const onePerSecond = Math.min(
    carriedBy(1, cpuMsPerCreate(figures, 'request')),
    ASSUMED.partitionBytesPerSecond / bytes,
  );
  const needed = component(`partitions of ${name}`, partitions, load, onePerSecond);
  return { ...needed, carriesPerSecond: partitions * onePerSecond };
}

/** Each copy is taken to cost as much as the first. */
function brokersFor(figures: Figures, load: Load): Component {
  const { copies, utilisation, diskBytes, diskBytesPerSecond, diskFill } = ASSUMED;
  const keptPerCreate = keptInKafka(figures, load) / load.createsPerSecond;
  const onePerSecond = Math.min(
    carriedBy(load.cores, copies * cpuMsPerCreate(figures, 'broker')),
    (utilisation * diskBytesPerSecond) / (copies * topicBytes(figures)),
    (diskFill * diskBytes) / keptPerCreate,
  );
  return component('brokers', ASSUMED.leastBrokers, load, onePerSecond);
}

/** Each member of a shard does all of its writes; the primary does the rest too. */
function shardsFor(figures: Figures, load: Load): Component {
  const { utilisation, diskBytes, diskBytesPerSecond, diskFill } = ASSUMED;
  const keptPerCreate = keptInMongodb(figures, load) / load.createsPerSecond;
  const onePerSecond = Math.min(
    carriedBy(load.cores, cpuMsPerCreate(figures, 'mongod')),
    (utilisation * diskBytesPerSecond) / figures.stores.mongodb.bytesWritten,
    (diskFill * diskBytes) / keptPerCreate,
  );
  return component('MongoDB shards', 1, load, onePerSecond);
}

const topicBytes = ({ stores }: Figures): number =>
  Object.values(stores.topics).reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of one copy. */
const keptInMongodb = ({ stores }: Figures, { createsPerSecond, retentionDays }: Load): number =>
  createsPerSecond * retentionDays * DAY_S * stores.mongodb.bytesKept;

/** Bytes of all copies. A topic keeps its records no longer than its own retention. */
const keptInKafka = ({ stores }: Figures, { createsPerSecond, retentionDays }: Load): number =>
  ASSUMED.copies *
  Object.entries(stores.topics).reduce(
    (sum, [topic, { bytes }]) => sum + createsPerSecond * keptSeconds(topic, retentionDays) * bytes,
    0,
  );

function keptSeconds(topic: string, retentionDays: number): number {
  const known: readonly Topic[] = Object.values(TOPICS);
  const ownMs = known.find(({ name }) => name === topic)?.retentionMs ?? -1;
  return Math.min(ownMs < 0 ? Infinity : ownMs / SECOND_MS, retentionDays * DAY_S);
}

const gigabytes = (bytes: number): number => bytes / ASSUMED.diskFill / 1e9;
