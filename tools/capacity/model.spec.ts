import { PARTS, type CpuMs, type Figures } from './figures';
import { cpuMsPerCreate, planFor, storesPerCreate, type Load, type Plan } from './model';

const cpu = (each: number, more: Partial<CpuMs> = {}): CpuMs =>
  ({ ...Object.fromEntries(PARTS.map((part) => [part, each])), ...more }) as CpuMs;
const nothing = cpu(0);
const mongodb = { writes: 10, bytesIn: 4_000, bytesOut: 6_000, bytesWritten: 20_000, bytesKept: 2_000 };

/** Every part takes 6 ms for a create, so one core at 60 % carries 100 a second. */
const figures: Figures = {
  life: cpu(6),
  callback: nothing,
  read: nothing,
  stores: {
    life: { mongodb, topics: { 'dsr.commands.v1': { records: 2, bytes: 1_000 } } },
    callback: { mongodb: { writes: 0, bytesIn: 0, bytesOut: 0, bytesWritten: 0, bytesKept: 0 }, topics: {} },
  },
};
/** The same, but MongoDB keeps or writes more, and Kafka nothing. */
const withMongodb = (more: Partial<typeof mongodb>): Figures => ({
  ...figures,
  stores: { ...figures.stores, life: { mongodb: { ...mongodb, ...more }, topics: {} } },
});
const load: Load = { createsPerSecond: 1_000, retentionDays: 10, cores: 8 };
const countOf = ({ components }: Plan, name: string) => components.find((one) => one.name === name)?.count;
const carriesOf = ({ components }: Plan, name: string) => components.find((one) => one.name === name)?.carriesPerSecond;
const without = (part: keyof CpuMs): Figures => ({ ...figures, life: cpu(6, { [part]: 0.001 }) });

it('counts parts from their CPU time, worked by hand', () => {
  const plan = planFor(figures, load);
  // 1,000 a second of 100 each.
  expect(countOf(plan, 'gateway')).toBe(10);
  expect(countOf(plan, 'request')).toBe(10);
  // 8 cores carry 800 a second; three copies cost three times as much, so a broker carries 266.7.
  expect(countOf(plan, 'MongoDB shards')).toBe(2);
  expect(countOf(plan, 'brokers')).toBe(4);
});

it('counts the callbacks and the reads of a create', () => {
  // 6 ms, three callbacks of 2 ms, one read of 1 ms.
  expect(cpuMsPerCreate({ life: cpu(6), callback: cpu(2), read: cpu(1) }, 'gateway')).toBe(13);
  const callback = {
    mongodb: { ...mongodb, bytesKept: 500 },
    topics: { 'dsr.commands.v1': { records: 0, bytes: 10 } },
  };
  const { mongodb: all, topics } = storesPerCreate({ ...figures, stores: { ...figures.stores, callback } });
  expect([all.bytesKept, all.writes, topics]).toEqual([3_500, 40, { 'dsr.commands.v1': { records: 2, bytes: 1_030 } }]);
});

it('sizes disks by what is kept, with room, worked by hand', () => {
  const plan = planFor(figures, load);
  // 1,000 a second for 10 days at 2,000 bytes are 1,728 GB: 864 a shard, which fill 70 % of 1,234.
  expect(plan.diskGbOfShardMember).toBeCloseTo(1_234.3, 1);
  // The topic keeps its records for 7 days: 604.8 GB, in three copies 1,814.4, on four brokers 453.6, which are 70 % of 648.
  expect(plan.diskGbOfBroker).toBeCloseTo(648, 1);
  expect([plan.mongodbMbPerSecond, plan.kafkaMbPerSecond]).toEqual([10, 3]);
});

it('adds shards and brokers for their disks, where processors would suffice', () => {
  const large = withMongodb({ bytesKept: 20_000 });
  // 17,280 GB, and a disk takes 2,800.
  expect(countOf(planFor(large, load), 'MongoDB shards')).toBe(7);
  const written = withMongodb({ bytesWritten: 6e5 });
  // 600 MB a second, and a disk takes 120.
  expect(countOf(planFor(written, load), 'MongoDB shards')).toBe(5);
});

it('has two of each process, three brokers and one shard for any load', () => {
  const { components } = planFor(figures, { ...load, createsPerSecond: 1 });
  expect(components.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2, 12, 3, 1]);
});

it('never needs less for more load, for a longer time, or with smaller machines', () => {
  const counts = (plan: Plan) => plan.components.map(({ count }) => count);
  const plans = [10, 99, 100, 101, 1_000, 12_345, 100_000].map((createsPerSecond) =>
    counts(planFor(figures, { ...load, createsPerSecond })),
  );
  for (const [at, plan] of plans.slice(1).entries())
    for (const [part, count] of plan.entries()) expect(count).toBeGreaterThanOrEqual(plans[at]?.[part] ?? 0);
  const hard = [{ retentionDays: 400 }, { cores: 4 }].map((more) => counts(planFor(figures, { ...load, ...more })));
  for (const plan of hard)
    for (const [part, count] of plan.entries())
      expect(count).toBeGreaterThanOrEqual(counts(planFor(figures, load))[part] ?? 0);
});

it('carries the load with every part but the partitions, which never change', () => {
  for (const createsPerSecond of [1, 100, 1_150, 10_000]) {
    const short = planFor(figures, { ...load, createsPerSecond }).components.filter(
      ({ carriesPerSecond }) => carriesPerSecond < createsPerSecond,
    );
    expect(short.map(({ name }) => name)).toEqual(createsPerSecond > 1_200 ? ['partitions of dsr.commands.v1'] : []);
  }
  expect(countOf(planFor(figures, { ...load, createsPerSecond: 10_000 }), 'partitions of dsr.commands.v1')).toBe(100);
});

it('names the part that saturates first, and what it runs out of', () => {
  const small = { ...load, createsPerSecond: 100 };
  const first = (of: Figures, at: Load = small) => {
    const { name, limit } = planFor(of, at).saturatesFirst;
    return `${name}: ${limit}`;
  };
  const dear = (part: keyof CpuMs, cpuMs: number) => ({ ...figures, life: cpu(0.1, { [part]: cpuMs }) });
  expect(first(dear('results', 12))).toBe('results: processors');
  expect(first(dear('mongod', 48))).toBe('MongoDB shards: processors');
  expect(first(dear('broker', 24))).toBe('brokers: processors');
  expect(first(figures, { ...load, createsPerSecond: 10_000 })).toBe('partitions of dsr.commands.v1: processors');
  expect(first(withMongodb({ bytesKept: 30_000, bytesWritten: 1 }))).toBe('MongoDB shards: disk space');
  expect(first(withMongodb({ bytesKept: 1, bytesWritten: 1.1e6 }))).toBe('MongoDB shards: disk rate');
});

it('carries more where a part costs less', () => {
  expect(carriesOf(planFor(without('gateway'), load), 'gateway')).toBeGreaterThan(
    carriesOf(planFor(figures, load), 'gateway') ?? 0,
  );
});
