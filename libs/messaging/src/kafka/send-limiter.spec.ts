import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../testing/until';
import { SendLimiter } from './send-limiter';

describe('the send limiter', () => {
  const enter = (pace: SendLimiter, entered: number[], n: number) =>
    pace.acquire().then((leave) => (entered.push(n), leave));

  it('lets as many sends begin as there are brokers, and the next in order when one ends', async () => {
    const pace = new SendLimiter();
    pace.allowAtLeast(2);
    const entered: number[] = [];
    const [first] = await Promise.all([enter(pace, entered, 1), enter(pace, entered, 2)]);
    const third = enter(pace, entered, 3);
    void enter(pace, entered, 4);
    await Promise.resolve();
    expect(entered).toEqual([1, 2]);
    first();
    first();
    await third;
    expect(entered).toEqual([1, 2, 3]);
  });

  it('does not let a send that hangs block the others', async () => {
    const pace = new SendLimiter();
    const entered: number[] = [];
    await enter(pace, entered, 1);
    void enter(pace, entered, 2);
    await until(() => entered.length === 2);
  });

  it('releases a slot only once, also when the send ends after it stopped counting', async () => {
    const pace = new SendLimiter();
    const entered: number[] = [];
    const hanging = await enter(pace, entered, 1);
    const second = await enter(pace, entered, 2);
    hanging();
    const third = enter(pace, entered, 3);
    await delay(0);
    expect(entered).toEqual([1, 2]);
    second();
    await third;
  });
});
