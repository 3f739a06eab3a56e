import { readCommandLine } from './options';

const least = ['--base-url', 'https://dsr.example/', '--key', 'k', '--secret', 's'];

it('needs an address, and takes credentials from the environment, where no list of processes shows them', () => {
  expect(
    readCommandLine(['--base-url', 'https://dsr.example/'], { DSR_CONFORMANCE_KEY: 'k', DSR_CONFORMANCE_SECRET: 's' }),
  ).toMatchObject({
    baseUrl: 'https://dsr.example',
    account: { key: 'k', secret: 's' },
    domains: [],
    options: {
      waitMs: 30_000,
      portabilityWaitMs: 30_000,
      callbackIntervalMs: 900_000,
      notes: false,
      slow: false,
      keep: false,
      only: [],
      callsPerMinute: 600,
      pendingType: 'portability',
    },
  });
});

it('takes what is said', () => {
  const args = [
    '--wait',
    '20m',
    '--portability-wait',
    '1h',
    '--callback-interval',
    '2s',
    '--only',
    'create,cancel.twice',
    '--versions',
    '1.0',
    '--domains',
    'a,b',
    '--known',
    'email=a@example.com',
    '--receiver-listen',
    '0.0.0.0:8443',
    '--receiver-url',
    'https://me.example/hooks/',
    '--notes',
    '--calls-per-minute',
    '0',
  ];
  expect(readCommandLine([...least, ...args], {})).toMatchObject({
    versions: ['1.0'],
    domains: ['a', 'b'],
    known: { type: 'email', value: 'a@example.com' },
    receiver: { host: '0.0.0.0', port: 8443, url: 'https://me.example/hooks' },
    options: {
      waitMs: 1_200_000,
      portabilityWaitMs: 3_600_000,
      callbackIntervalMs: 2_000,
      only: ['create', 'cancel.twice'],
      notes: true,
      callsPerMinute: 0,
    },
  });
});

it.each([
  [[]],
  [['--base-url', 'dsr.example']],
  [[...least, '--versions', '3.0']],
  [[...least, '--wait', '30']],
  [[...least, '--known', 'a@example.com']],
  [[...least, '--receiver-url', 'https://me.example']],
  [[...least, '--receiver-listen', '0.0.0.0:1', '--receiver-url', 'https://me.example', '--receiver-key', 'f']],
  [[...least, '--other-key', 'k']],
  [[...least, '--pending-type', 'x']],
  [[...least, '--calls-per-minute', 'x']],
  [[...least, '--unknown']],
])('refuses %j', (args) => {
  expect(() => readCommandLine(args, {})).toThrow();
});

it('repeats no secret where something is wrong', () => {
  expect(() => readCommandLine(['--base-url', 'x', '--secret', 'hidden'], {})).toThrow(/^(?!.*hidden)/);
});
