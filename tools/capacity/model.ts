import { TOPICS, type Topic } from '@opendsr-service/contracts';
import { combined, type StoresUse } from '../bench/stores-use';
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

export type Limit = 'processors' | 'disk space' | 'disk rate' | 'partition rate';

/** A kind of part that a plan has some of. */
export interface Component {
  readonly name: string;
  readonly count: number;
  /** What one of them runs out of. */
  readonly limit: Limit;
  /** Creates a second that one of them carries; for partitions, one that is there. */
  readonly onePerSecond: number;
  /** Creates a second that all of them carry. */
  readonly carriesPerSecond: number;
}

export interface Plan extends Load {
  readonly components: readonly Component[];
  /** What carries the least of all. */
  readonly saturatesFirst: Pick<Component, 'name' | 'limit' | 'carriesPerSecond'>;
  readonly diskGbOfShardMember: number;
  readonly diskGbOfBroker: number;
  /** Between all processes and the primaries, and to all brokers with their copies. */
  readonly mongodbMbPerSecond: number;
  readonly kafkaMbPerSecond: number;
}

/** The figures, with what a create and all that follows makes the stores do. */
type Costs = Omit<Figures, 'stores'> & { readonly stores: StoresUse };

const DAY_S = 86_400;
const SECOND_MS = 1_000;

/** How many of each part carry a load, and which part carries the least. Costs grow with the load and with nothing else. */
export function planFor(figures: Figures, load: Load): Plan {
  const costs: Costs = { ...figures, stores: storesPerCreate(figures) };
  const shards = shardsFor(costs, load);
  const brokers = brokersFor(costs, load);
  const components = [...processesFor(costs, load), partitionsFor(costs, load), brokers, shards];
  const least = components.reduce((a, b) => (b.carriesPerSecond < a.carriesPerSecond ? b : a));
  const { mongodb } = costs.stores;
  return {
    ...load,
    components,
    saturatesFirst: { name: least.name, limit: least.limit, carriesPerSecond: least.carriesPerSecond },
    diskGbOfShardMember: gigabytes(keptInMongodb(costs, load) / shards.count),
    diskGbOfBroker: gigabytes(keptInKafka(costs, load) / brokers.count),
    mongodbMbPerSecond: (load.createsPerSecond * (mongodb.bytesIn + mongodb.bytesOut)) / 1e6,
    kafkaMbPerSecond: (load.createsPerSecond * ASSUMED.copies * topicBytes(costs)) / 1e6,
  };
}

/** CPU milliseconds of a part for one create, with all that follows from it. */
export const cpuMsPerCreate = (
  { life, callback, read }: Record<'life' | 'callback' | 'read', CpuMs>,
  part: Part,
): number => life[part] + ASSUMED.callbacksPerCreate * callback[part] + ASSUMED.readsPerCreate * read[part];

/** Of one copy. */
export const storesPerCreate = ({ stores }: Figures): StoresUse =>
  combined(stores.life, stores.callback, (life, callback) => life + ASSUMED.callbacksPerCreate * callback);

const carriedBy = (cores: number, cpuMs: number): number => (ASSUMED.utilisation * cores * SECOND_MS) / cpuMs;

type Carries = Readonly<Partial<Record<Limit, number>>>;

/** As many as carry the load; `carries` says what one of them does, by what it may run out of. */
function component(name: string, least: number, { createsPerSecond }: Load, carries: Carries): Component {
  const limits = Object.entries(carries) as [Limit, number][];
  const [limit, onePerSecond] = limits.reduce((a, b) => (b[1] < a[1] ? b : a));
  const count = Math.max(least, Math.ceil(createsPerSecond / onePerSecond));
  return { name, count, limit, onePerSecond, carriesPerSecond: count * onePerSecond };
}

const processesFor = (costs: Costs, load: Load): Component[] =>
  PROCESSES.map((name) =>
    component(name, ASSUMED.leastReplicas, load, { processors: carriedBy(1, cpuMsPerCreate(costs, name)) }),
  );

/** The request service works only on what its partitions bring, and partitions never change. */
function partitionsFor(costs: Costs, load: Load): Component {
  const { name, partitions } = TOPICS.commands;
  const needed = component(`partitions of ${name}`, partitions, load, {
    processors: carriedBy(1, cpuMsPerCreate(costs, 'request')),
    'partition rate': ASSUMED.partitionBytesPerSecond / (costs.stores.topics[name]?.bytes ?? 0),
  });
  return { ...needed, carriesPerSecond: partitions * needed.onePerSecond };
}

/** Each copy is taken to cost as much as the first. */
const brokersFor = (costs: Costs, load: Load): Component =>
  component('brokers', ASSUMED.leastBrokers, load, {
    processors: carriedBy(load.cores, ASSUMED.copies * cpuMsPerCreate(costs, 'broker')),
    ...diskCarries(ASSUMED.copies * topicBytes(costs), keptInKafka(costs, load) / load.createsPerSecond),
  });

/** Each member of a shard does all of its writes; the primary does the rest too. */
const shardsFor = (costs: Costs, load: Load): Component =>
  component('MongoDB shards', 1, load, {
    processors: carriedBy(load.cores, cpuMsPerCreate(costs, 'mongod')),
    ...diskCarries(costs.stores.mongodb.bytesWritten, keptInMongodb(costs, load) / load.createsPerSecond),
  });

const diskCarries = (writtenPerCreate: number, keptPerCreate: number): Carries => ({
  'disk rate': (ASSUMED.utilisation * ASSUMED.diskBytesPerSecond) / writtenPerCreate,
  'disk space': (ASSUMED.diskFill * ASSUMED.diskBytes) / keptPerCreate,
});

const topicBytes = ({ stores }: Costs): number =>
  Object.values(stores.topics).reduce((sum, { bytes }) => sum + bytes, 0);

/** Bytes of one copy. */
const keptInMongodb = ({ stores }: Costs, { createsPerSecond, retentionDays }: Load): number =>
  createsPerSecond * retentionDays * DAY_S * stores.mongodb.bytesKept;

/** Bytes of all copies. A topic keeps its records no longer than its own retention. */
const keptInKafka = ({ stores }: Costs, { createsPerSecond, retentionDays }: Load): number =>
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
