import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConnectionFault } from '@opendsr-service/storage';
import { createLogger } from '../logger/logger';
import { startWait, type WaitTime } from './wait-for';

/** Time that jumps to the next end of a pause as soon as nothing else happens. */
class QuickTime implements WaitTime {
  private ms = 0;
  private pauses: { readonly endMs: number; readonly end: () => void }[] = [];

  nowMs(): number {
    return this.ms;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const pause = { endMs: this.ms + ms, end: resolve };
      this.pauses.push(pause);
      signal?.addEventListener('abort', () => (this.pauses = this.pauses.filter((other) => other !== pause)));
      void nextTurn().then(() => this.jump());
    });
  }

  private jump(): void {
    const next = this.pauses.toSorted((one, other) => one.endMs - other.endMs)[0];
    if (!next) return;
    this.pauses = this.pauses.filter((other) => other !== next);
    this.ms = next.endMs;
    next.end();
    void nextTurn().then(() => this.jump());
  }
}

const refused = () =>
  Promise.reject(
    Object.assign(new Error('mongodb://user:secret@host'), {
      name: 'MongoServerSelectionError',
      cause: { code: 'ECONNREFUSED' },
    }),
  );

function waiting(limitMs: number) {
  const time = new QuickTime();
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', 'info', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return {
    time,
    waitFor: startWait(limitMs, log, time),
    logged: () => lines.map(({ msg, level, for: what, seconds, reason }) => [msg, level, what, seconds, reason]),
  };
}

it('resolves at once and logs nothing where nothing is missing', async () => {
  const { waitFor, logged, time } = waiting(1_000);
  expect([await waitFor('a store', () => Promise.resolve('there')), logged(), time.nowMs()]).toEqual(['there', [], 0]);
});

it('retries until it succeeds, and logs every 5 s what it waits for and why', async () => {
  const { waitFor, logged, time } = waiting(60_000);
  expect(await waitFor('indexes', () => (time.nowMs() < 12_000 ? refused() : Promise.resolve('there')))).toBe('there');
  expect(logged()).toEqual([5, 10].map((seconds) => ['Waiting', 'info', 'MongoDB', seconds, 'it refuses connections']));
});

it('logs long or hanging work without a cause, and does not wait beyond the deadline', async () => {
  const { waitFor, logged } = waiting(12_000);
  await expect(waitFor('Kafka', () => new Promise(() => undefined))).rejects.toThrow(
    'waited 12 s (START_TIMEOUT_MS) for Kafka: it is not done yet',
  );
  expect(logged()).toEqual([5, 10].map((seconds) => ['Waiting', 'info', 'Kafka', seconds, 'it is not done yet']));
});

it('ends at the deadline, which all that is waited for shares, with a line that names what was lacking and holds no address', async () => {
  const { waitFor, time } = waiting(20_000);
  await waitFor('a store', () => (time.nowMs() < 15_000 ? refused() : Promise.resolve()));
  await expect(waitFor('indexes', refused)).rejects.toMatchObject({
    name: 'StartupError',
    message: 'waited 20 s (START_TIMEOUT_MS) for MongoDB: it refuses connections',
  });
  expect(time.nowMs()).toBe(20_000);
});

it('does not wait for an error that waiting does not fix', async () => {
  const { waitFor, time } = waiting(60_000);
  await expect(waitFor('indexes', () => Promise.reject(new TypeError('planted')))).rejects.toThrow('planted');
  expect(time.nowMs()).toBe(0);
});

it('says that a password is wrong, and comes back seldom, lest the store lock the user out', async () => {
  const { waitFor, logged } = waiting(60_000);
  let tries = 0;
  const wrong = () => {
    tries += 1;
    return Promise.reject(new ConnectionFault('Kafka', 'authentication'));
  };
  await expect(waitFor('Kafka', wrong)).rejects.toThrow(
    /^waited 60 s \(START_TIMEOUT_MS\) for Kafka: it does not accept the user/,
  );
  expect(logged()[0]).toEqual(['Waiting', 'info', 'Kafka', 5, expect.stringContaining('authentication')]);
  expect(tries).toBeLessThan(15);
});
