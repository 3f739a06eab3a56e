import { freeSlot, GROUP_SIZE, GroupSlotAllocator, type SlotAttempt } from './group-slot-allocator';

const all = [...Array(GROUP_SIZE).keys()];

/** A store of one group: the first insert with a place gets it. */
function store(kept: Iterable<number> = []) {
  const taken = new Set(kept);
  const calls = { reads: 0, inserts: 0 };
  const places = new GroupSlotAllocator(() => {
    calls.reads += 1;
    return Promise.resolve([...taken]);
  });
  const insert = async (slot: number): Promise<SlotAttempt<number>> => {
    calls.inserts += 1;
    await Promise.resolve();
    if (taken.has(slot)) return 'slot-taken';
    taken.add(slot);
    return { answer: slot, took: true };
  };
  return { taken, calls, places, insert };
}
const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

it('gives a thousand creates at once every slot once, with one read and no refused insert', async () => {
  const { places, insert, calls } = store();
  const slots = await atOnce(1_000, () => places.withSlot('w', 'g', insert));
  expect(slots.filter((slot) => slot !== undefined).sort((a, b) => a - b)).toEqual(all);
  expect(calls).toEqual({ reads: 1, inserts: GROUP_SIZE });
});

it('shares the slots with another process, and reports a full group only once every slot is taken', async () => {
  const { places, insert, taken } = store();
  const others = new GroupSlotAllocator(() => Promise.resolve([]));
  const slots = await Promise.all([
    atOnce(200, () => places.withSlot('w', 'g', insert)),
    atOnce(200, () => others.withSlot('w', 'g', insert)),
  ]);
  expect(slots.flat().filter((slot) => slot !== undefined)).toHaveLength(GROUP_SIZE);
  expect(taken.size).toBe(GROUP_SIZE);
});

it('passes a slot that its create did not take, or lost by an error, to the next create', async () => {
  const { places, insert } = store(all.slice(1));
  const refused = () => Promise.resolve({ answer: 'exists', took: false });
  const failing = () => Promise.reject(new Error('away'));
  const [first, second, third] = await Promise.allSettled([
    places.withSlot('w', 'g', refused),
    places.withSlot('w', 'g', failing),
    places.withSlot('w', 'g', insert),
  ]);
  expect([first, second.status, third]).toEqual([
    { status: 'fulfilled', value: 'exists' },
    'rejected',
    { status: 'fulfilled', value: 0 },
  ]);
});

it('separates groups by workspace and name, and reads a group again after its last use', async () => {
  const asked: string[] = [];
  const places = new GroupSlotAllocator((ws, groupId) => {
    asked.push(`${ws} ${groupId}`);
    return Promise.resolve(ws === 'full' ? all : []);
  });
  const take = (slot: number) => Promise.resolve({ answer: slot, took: true });
  expect(
    await Promise.all([
      places.withSlot('full', 'g', take),
      places.withSlot('w', 'g', take),
      places.withSlot('w', 'h', take),
    ]),
  ).toEqual([undefined, expect.any(Number), expect.any(Number)]);
  await places.withSlot('w', 'g', take);
  expect(asked).toEqual(['full g', 'w g', 'w h', 'w g']);
});

it('rejects all creates that wait for a failed read, and reads again for the next one', async () => {
  let fails = true;
  const places = new GroupSlotAllocator(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve([])));
  const take = (slot: number) => Promise.resolve({ answer: slot, took: true });
  expect(
    (await Promise.allSettled([places.withSlot('w', 'g', take), places.withSlot('w', 'g', take)])).map(
      ({ status }) => status,
    ),
  ).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await places.withSlot('w', 'g', take)).toEqual(expect.any(Number));
});

it('returns one of the 64 lowest free slots', () => {
  expect(freeSlot(new Set(), 0)).toBe(0);
  expect(freeSlot(new Set(), 0.999)).toBe(63);
  expect(freeSlot(new Set([0, 1, 2]), 0)).toBe(3);
});

it('returns the last free slot, and none in a full group', () => {
  expect(freeSlot(new Set(all.filter((slot) => slot !== 77)), 0.5)).toBe(77);
  expect(freeSlot(new Set(all), 0.5)).toBeUndefined();
});
