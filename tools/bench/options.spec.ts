import { readOptions } from './options';

it('measures everything on both forms in windows of 30 seconds, if nothing is said', () => {
  expect(readOptions([])).toEqual({
    seconds: 30,
    forms: ['embedded', 'servers'],
    only: [
      ...['creates', 'reads', 'steady', 'lives', 'idle', 'overload', 'callbacks', 'operations', 'start'],
      ...['events', 'exports', 'lookups'],
    ],
    exportEvents: [100_000, 1_000_000],
    profiles: [10_000, 100_000, 1_000_000],
    requests: 1_000_000,
    replicas: 1,
    livesPerSecond: undefined,
    out: 'reports/bench.json',
    against: 'tools/bench/release.json',
    keep: false,
    built: false,
    settings: {},
  });
});

it('takes what is said', () => {
  const args = [
    '--seconds',
    '3',
    '--forms',
    'servers',
    '--only',
    'lives',
    '--built',
    '--replicas',
    '2',
    '--lives-per-second',
    '100',
    '--set',
    'UV_THREADPOOL_SIZE=2',
    '--set',
    'NODE_OPTIONS=--a=b',
  ];
  expect(readOptions(args)).toMatchObject({
    seconds: 3,
    forms: ['servers'],
    only: ['lives'],
    built: true,
    replicas: 2,
    livesPerSecond: 100,
    settings: { UV_THREADPOOL_SIZE: '2', NODE_OPTIONS: '--a=b' },
  });
});

it('measures rates alone in short windows where it has to be quick, unless more is said', () => {
  expect(readOptions(['--quick'])).toMatchObject({ seconds: 5, only: ['creates', 'reads', 'lives'] });
  expect(readOptions(['--quick', '--seconds', '8', '--only', 'lives'])).toMatchObject({ seconds: 8, only: ['lives'] });
});

it.each([
  [['--seconds', 'x']],
  [['--seconds', '0']],
  [['--forms', 'other']],
  [['--only', '']],
  [['--profiles', '10,x']],
  [['--export-events', '0']],
  [['--set', 'lower=1']],
  [['--keep', '--set', 'UV_THREADPOOL_SIZE=2']],
  [['--keep', '--replicas', '2']],
  [['--replicas', '0']],
  [['--lives-per-second', '0']],
  [['--keep', '--lives-per-second', '100']],
  [['--unknown']],
])('refuses %j', (args) => {
  expect(() => readOptions(args)).toThrow();
});
