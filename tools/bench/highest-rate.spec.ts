import { highestKept } from './highest-rate';

const steps = { firstPerSecond: 100, factor: 2, halvings: 2, lowestPerSecond: 10 };

async function search(capacity: number, drained = true) {
  const tried: number[] = [];
  const hold = (perSecond: number) => (
    tried.push(perSecond),
    Promise.resolve({ kept: perSecond <= capacity, drained, perSecond })
  );
  return { found: (await highestKept(hold, steps))?.perSecond, tried };
}

it('raises the rate until it is not kept, then halves the gap so often', async () => {
  await expect(search(650)).resolves.toEqual({ tried: [100, 200, 400, 800, 600, 700], found: 600 });
});

it('goes down from a first rate that is too much', async () => {
  await expect(search(30)).resolves.toEqual({ tried: [100, 50, 25, 38, 32], found: 25 });
});

it('finds nothing where not even the lowest rate is kept', async () => {
  await expect(search(5)).resolves.toEqual({ tried: [100, 50, 25, 12], found: undefined });
});

it('stops where what was left over is not done, because that would spoil the next rate', async () => {
  await expect(search(650, false)).resolves.toEqual({ tried: [100], found: 100 });
});
