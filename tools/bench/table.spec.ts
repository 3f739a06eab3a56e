import type { CallbacksResult } from './callbacks-result';
import type { DataResult } from './data';
import { faultsOf, toJson, type BenchResult, type FormResult } from './result';
import type { OverloadMeasured } from './overload-result';
import { tableOf } from './table';

const measured = {
  perSecond: 2000,
  spread: { p50Ms: 20, p99Ms: 61.26 },
  faults: [],
  cpuMsEach: { standalone: 0.4321, generator: 0.05 },
};
const data: DataResult = {
  events: {
    batchesPerSecond: 500,
    eventsPerSecond: 5_000,
    bareProducerPerSecond: 20_000,
    drainMs: 12.3,
    faults: [],
    cpuMsEach: { ingestion: 0.5 },
  },
  exports: [
    {
      events: 100_000,
      megabytes: 12,
      seconds: 4,
      downloadSeconds: 0.5,
      peakMiB: { results: 120.4 },
      loopDelay: { results: { p99Ms: 5, longestMs: 31 } },
      faults: ['an archive holds nothing'],
    },
  ],
  lookups: [{ profiles: 10_000, spread: { p50Ms: 1.234, p99Ms: 5 }, faults: [] }],
};
const drain = {
  receivers: 50,
  dead: 2,
  perHost: 8,
  delivered: 2_880,
  perSecond: 2_400,
  spread: { p50Ms: 600, p99Ms: 1_200 },
  faults: ['2 did not come'],
  cpuMsEach: { standalone: 0.9 },
  stores: null,
};
const callbacks: CallbacksResult = {
  drains: [{ ...drain, receivers: 1, dead: 0, faults: [] }, drain],
  delay: {
    perSecond: 10,
    delivered: 300,
    fromTick: { p50Ms: 12.3, p99Ms: 40 },
    fromChange: null,
    faults: ['1 times the answer 503'],
  },
};
const overload: OverloadMeasured = {
  saturatingPerSecond: 800,
  seconds: 10,
  offered: 24_000,
  sent: 24_000,
  taken: { p50Ms: 300, p99Ms: 700.4 },
  refused: { p50Ms: 5, p99Ms: 90 },
  statuses: { 201: 7_000, 503: 16_999, 500: 1 },
  refusedWithoutRetryAfter: 0,
  rssMiB: { before: 150, firstHalf: 300, secondHalf: 320 },
};
const result: BenchResult = {
  startedAt: '2026-01-02T03:04:05.000Z',
  commit: 'abc1234',
  machine: { cpu: 'a', cores: 2, memoryGib: 8, node: 'v24' },
  seconds: 30,
  settings: {},
  replicas: 1,
  floor: { oneCorePerSecond: 4000, allCoresPerSecond: 8000 },
  forms: [
    {
      form: 'embedded',
      creates: { ...measured, settledS: 3, stores: null },
      reads: { ...measured, faults: ['2 answers 500'], cpuMsEach: {} },
      steady: null,
      lives: null,
      idle: { standalone: 7.25 },
      overload,
      operations: null,
      callbacks,
      data,
    },
  ],
};

it('shows each rate, its times and its ratio to both floors', () => {
  expect(
    tableOf(result)
      .split('\n')
      .find((line) => /^embedded +creates/.test(line))
      ?.split(/ {2,}/),
  ).toEqual(['embedded', 'creates', '0.43', '-', '2000', '20.0', '61.3', '0.250', '0.500']);
});

it('shows what an idle second costs', () => {
  expect(
    tableOf(result)
      .split('\n')
      .find((line) => line.includes('idle seconds'))
      ?.split(/ {2,}/),
  ).toEqual(['embedded', 'idle seconds', '7.25', '-']);
});

it('compares the CPU time of all parts but the callers with that of an earlier run', () => {
  const [form] = result.forms as [FormResult];
  const before = {
    forms: [{ ...form, creates: { ...measured, settledS: 1, stores: null, cpuMsEach: { standalone: 0.8642 } } }],
  };
  expect(tableOf(result, before)).toMatch(/^embedded +creates +0\.43 +0\.50 +2000/m);
});

it('shows no number where none was measured', () => {
  const lines = tableOf(result)
    .split('\n')
    .filter((line) => line.startsWith('embedded'));
  expect(
    lines
      .find((line) => line.includes('lives'))
      ?.split(/ {2,}/)
      .slice(2),
  ).toEqual(['-', '-', '-', '-', '-', '-', '-']);
  expect(
    lines
      .slice(4)
      .find((line) => line.includes('reads'))
      ?.split(/ {2,}/)
      .slice(2),
  ).toEqual(['-', '-']);
});

it('shows what a thing costs of each part', () => {
  expect(tableOf(result)).toMatch(/embedded +creates +0\.43 +0\.05/);
});

it('writes everything that was measured, with its ratios, and null for what was not', () => {
  const [form] = toJson(result).forms as Record<string, unknown>[];
  expect(form).toMatchObject({
    form: 'embedded',
    steady: null,
    lives: null,
    creates: { perSecond: 2000, settledS: 3, ratioToFloor: { ofAllCores: 0.25, ofOneCore: 0.5 } },
  });
  expect(form).toMatchObject({
    callbacks: { drains: [{}, { receivers: 50, ratioToFloor: { ofOneCore: 0.6 } }], delay: { fromChange: null } },
  });
  expect(toJson({ ...result, forms: [{ ...(result.forms[0] as FormResult), callbacks: null }] }).forms).toMatchObject([
    { callbacks: null },
  ]);
});

it('names what should not have happened', () => {
  expect(faultsOf(result)).toEqual([
    'embedded, reads: 2 answers 500',
    'embedded, overload: 1 times the answer 500',
    'embedded, callbacks, 50 receivers: 2 did not come',
    'embedded, callbacks, light load: 1 times the answer 503',
    'embedded, an archive holds nothing',
  ]);
});

it('shows what was measured about data: events beside a bare producer, archives, look-ups', () => {
  const cells = (start: RegExp) =>
    tableOf(result)
      .split('\n')
      .find((line) => start.test(line))
      ?.split(/ {2,}/)
      .slice(1);
  expect(cells(/^embedded +202 to stored/)).toEqual(['202 to stored', '500', '5000', '0.025', '12', 'ingestion 0.50']);
  expect(cells(/^embedded +100000/)).toEqual(['100000', '12.0', '4.0', '3.0', '0.5', 'results 120', 'results 5/31']);
  expect(cells(/^embedded +10000 /)).toEqual(['10000', '1.23', '5.00']);
});

it('shows what was taken and refused under overload, how late, and how memory grew', () => {
  const row = tableOf(result)
    .split('\n')
    .find((line) => line.includes('201 or refused'))
    ?.split(/ {2,}/)
    .slice(2);
  expect(row).toEqual(['800', '2400', '700', '1700', '700', '90', '150', '170']);
});

it('shows callbacks to one receiver and to many with how many of those are dead, and how late few of them are', () => {
  const rows = tableOf(result)
    .split('\n')
    .filter((line) => /receiver|a tick a second/.test(line))
    .map((line) => line.split(/ {2,}/).slice(1));
  expect(rows).toEqual([
    ['1 receiver', '8', '2880', '2400', '0.300', '0.600', '600.0', '1200.0', 'standalone 0.90'],
    ['50 receivers, 2 dead', '8', '2880', '2400', '0.300', '0.600', '600.0', '1200.0', 'standalone 0.90'],
    ['a tick a second', '10', '300', '12.3', '40.0', '-', '-'],
  ]);
});
