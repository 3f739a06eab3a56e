import { silentLogger } from '@opendsr-service/service';
import { logPollers, LogSignals } from './transparency-log.wiring';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 200;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
});
afterEach(() => jest.useRealTimers());

/** Counts how often the sequencer and a witness look at the database. */
function watched(signals: LogSignals) {
  const looks = { sequencer: 0, witness: 0 };
  const term: { leftForMs: number | undefined } = { leftForMs: undefined };
  const look = (who: keyof typeof looks) => ({ runOnce: () => Promise.resolve((looks[who] += 1) * 0) });
  const pollers = logPollers(
    { sequencer: Object.assign(term, look('sequencer')), witnessing: [look('witness')], signals },
    INTERVAL_MS,
    silentLogger,
  );
  return { looks, pollers, term };
}

it('a log that always grows gets one checkpoint an interval', async () => {
  const signals = new LogSignals();
  let checkpoints = 0;
  const sequencer = {
    leftForMs: undefined,
    runOnce: () => {
      checkpoints += 1;
      signals.grown.due();
      return Promise.resolve(1);
    },
  };
  const pollers = logPollers({ sequencer, witnessing: [], signals }, INTERVAL_MS, silentLogger);
  for (const poller of pollers) poller.start();
  await jest.advanceTimersByTimeAsync(60 * INTERVAL_MS);
  await Promise.all(pollers.map((poller) => poller.stop()));
  expect(checkpoints).toBeGreaterThan(50);
  expect(checkpoints).toBeLessThan(70);
});

it('a log to which nothing is added is looked at every five seconds, whatever else the process does', async () => {
  const { looks, pollers } = watched(new LogSignals());
  for (const poller of pollers) poller.start();
  for (let ms = 0; ms < HOUR_MS; ms += 1_000) {
    for (const poller of pollers) poller.wake();
    await jest.advanceTimersByTimeAsync(1_000);
  }
  for (const count of Object.values(looks)) expect(count).toBeLessThanOrEqual(HOUR_MS / 4_500 + 6);
  await Promise.all(pollers.map((poller) => poller.stop()));
});

it('a new leaf is sequenced, and a new checkpoint offered, within an interval', async () => {
  const signals = new LogSignals();
  const { looks, pollers } = watched(signals);
  for (const poller of pollers) poller.start();
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  // Right after a look: the next one would come in some seconds.
  for (const [of, signal] of [
    ['sequencer', signals.grown],
    ['witness', signals.signed],
  ] as const) {
    const before = looks[of];
    while (looks[of] === before) await jest.advanceTimersByTimeAsync(100);
    signal.due();
    await jest.advanceTimersByTimeAsync(1.2 * INTERVAL_MS);
    expect(looks[of]).toBe(before + 2);
  }
  await Promise.all(pollers.map((poller) => poller.stop()));
});

it('leaves that another process does not sign are sequenced when its term ends', async () => {
  const { looks, pollers, term } = watched(new LogSignals());
  for (const poller of pollers) poller.start();
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  term.leftForMs = 1_900;
  const before = looks.sequencer;
  while (looks.sequencer === before) await jest.advanceTimersByTimeAsync(100);
  await jest.advanceTimersByTimeAsync(term.leftForMs);
  expect(looks.sequencer).toBe(before + 2);
  await Promise.all(pollers.map((poller) => poller.stop()));
});
