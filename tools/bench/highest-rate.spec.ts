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
  await expect(search(650)).resolves.toEqual({ tried: [100, 200, 400, 800, 800, 600, 700, 700], found: 600 });
});

it('goes down from a first rate that is too much', async () => {
  await expect(search(30)).resolves.toEqual({ tried: [100, 100, 50, 50, 25, 38, 38, 32, 32], found: 25 });
});

it('finds nothing where not even the lowest rate is kept', async () => {
  await expect(search(5)).resolves.toEqual({ tried: [100, 100, 50, 50, 25, 25, 12, 12], found: undefined });
});

it('tries a rate again that was missed once', async () => {
  let stalls = 1;
  const hold = (perSecond: number) =>
    Promise.resolve({ kept: perSecond <= 150 && (perSecond < 100 || stalls-- <= 0), drained: true, perSecond });
  expect((await highestKept(hold, { ...steps, halvings: 0 }))?.perSecond).toBe(100);
});

it('stops where what was left over is not done, because that would spoil the next rate', async () => {
  await expect(search(650, false)).resolves.toEqual({ tried: [100], found: 100 });
});
