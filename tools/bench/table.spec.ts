import { faultsOf, toJson, type BenchResult } from './result';
import { tableOf } from './table';

const measured = { perSecond: 2000, spread: { p50Ms: 20, p99Ms: 61.26 }, faults: [], cpuMsEach: { standalone: 0.4321, generator: 0.05 } };
const result: BenchResult = {
  startedAt: '2026-01-02T03:04:05.000Z',
  machine: { cpu: 'a', cores: 2, memoryGib: 8, node: 'v24' },
  seconds: 30,
  settings: {},
  floor: { oneCorePerSecond: 4000, allCoresPerSecond: 8000 },
  forms: [{ form: 'embedded', creates: { ...measured, settledS: 3 }, reads: { ...measured, faults: ['2 answers 500'], cpuMsEach: {} }, lives: null, callbacks: null }],
};

it('shows each rate, its times and its ratio to both floors', () => {
  expect(tableOf(result).split('\n').find((line) => /^embedded +creates/.test(line))?.split(/ {2,}/)).toEqual(['embedded', 'creates', '2000', '20.0', '61.3', '0.250', '0.500']);
});

it('shows no number where none was measured', () => {
  const lines = tableOf(result).split('\n').filter((line) => line.startsWith('embedded'));
  expect(lines.find((line) => line.includes('lives'))?.split(/ {2,}/).slice(2)).toEqual(['-', '-', '-', '-', '-']);
  expect(lines.slice(4).find((line) => line.includes('reads'))?.split(/ {2,}/).slice(2)).toEqual(['-', '-']);
});

it('shows what a thing costs of each part', () => {
  expect(tableOf(result)).toMatch(/embedded +creates +0\.43 +0\.05/);
});

it('writes everything that was measured, with its ratios, and null for what was not', () => {
  const [form] = toJson(result).forms as Record<string, unknown>[];
  expect(form).toMatchObject({ form: 'embedded', lives: null, creates: { perSecond: 2000, settledS: 3, ratioToFloor: { ofAllCores: 0.25, ofOneCore: 0.5 } } });
});

it('names what should not have happened', () => {
  expect(faultsOf(result)).toEqual(['embedded, reads: 2 answers 500']);
});
