import { Chance } from './chance';
import { CALM, Scheduler, type Mortal, type Weather } from './scheduler';
import type { Work } from './step';
import { VirtualTime } from './virtual-time';

class Process implements Mortal {
  isAlive = true;
  readonly name = 'process';
  crash(): void {
    this.isAlive = false;
  }
}

const setUp = (weather: Partial<Weather> = {}) => {
  const time = new VirtualTime(0);
  const scheduler = new Scheduler(time, new Chance(1), () => undefined);
  scheduler.weather = { ...CALM, timePasses: 0, ...weather };
  return { time, scheduler, process: new Process() };
};

const work = (run: Work<string>['run'], more: Partial<Work<string>> = {}): Work<string> => ({
  what: 'a step',
  mayBe: ['refused', 'lost'],
  run,
  ...more,
});

/** What has become of a promise so far. */
function watch(promise: Promise<string>): { outcome: string } {
  const watched = { outcome: 'waiting' };
  promise.then(
    (value) => (watched.outcome = value),
    (error: Error) => (watched.outcome = error.message),
  );
  return watched;
}

it('does a step at its turn and resolves its promise', async () => {
  const { scheduler, process } = setUp();
  const asked = watch(
    scheduler.enter(
      process,
      work(() => 'done'),
    ),
  );
  await scheduler.run(() => scheduler.steps === 1, 1_000);
  expect(asked.outcome).toBe('done');
});

it('hands a step the fate that was cast for it', async () => {
  const { scheduler, process } = setUp({ refused: 1 });
  const asked = watch(
    scheduler.enter(
      process,
      work((fate) => Promise.reject(new Error(fate))),
    ),
  );
  await scheduler.run(() => scheduler.steps === 1, 1_000);
  expect(asked.outcome).toBe('refused');
});

it('never answers a process that has died, neither the step at which it dies nor those that waited', async () => {
  const { scheduler, process } = setUp({ crash: 1 });
  const asked = [
    watch(
      scheduler.enter(
        process,
        work(() => 'one'),
      ),
    ),
    watch(
      scheduler.enter(
        process,
        work(() => 'two'),
      ),
    ),
  ];
  await scheduler.run(() => false, 1_000);
  expect({ alive: process.isAlive, steps: scheduler.steps, outcomes: asked.map(({ outcome }) => outcome) }).toEqual({
    alive: false,
    steps: 1,
    outcomes: ['waiting', 'waiting'],
  });
});

it('outlives a step that fails while its process dies', async () => {
  const { scheduler, process } = setUp({ crash: 1 });
  for (let n = 0; n < 8; n += 1) {
    const mortal = new Process();
    void scheduler.enter(
      mortal,
      work(() => {
        throw new Error('away');
      }),
    );
  }
  void process;
  await scheduler.run(() => scheduler.steps === 8, 1_000);
  expect(scheduler.steps).toBe(8);
});

it('lets time pass no further than the limit of what could be done', async () => {
  const { scheduler, process, time } = setUp({ timePasses: 1 });
  const seen: number[] = [];
  void scheduler.enter(
    process,
    work(
      () => {
        seen.push(time.ms);
        return '';
      },
      { patienceMs: 500 },
    ),
  );
  await scheduler.run(() => time.ms >= 500, 10_000);
  expect(time.ms).toBe(500);
});

it('waits with a step until it is ready, and moves on to the next timer meanwhile', async () => {
  const { scheduler, process, time } = setUp();
  let isReady = false;
  const asked = watch(
    scheduler.enter(
      process,
      work(() => `at ${time.ms}`, { isReady: () => isReady }),
    ),
  );
  time.set(() => (isReady = true), 700);
  await scheduler.run(() => scheduler.steps === 1, 10_000);
  expect(asked.outcome).toBe('at 700');
});
