import { World } from '../testing/world';

/** Used signatures, for any store. */
export function signaturesContract(mongodbUri?: string): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  afterAll(() => world.close());
  const later = (ms: number) => new Date(world.parts.clock.now().getTime() + ms);

  it('each admits one of many concurrent calls of a workspace, and another once it is freed', async () => {
    const { signatures } = world.stores;
    const racing = await Promise.all(Array.from({ length: 20 }, () => signatures.use('ws', 'raced', later(1_000))));
    expect(racing.filter(Boolean)).toHaveLength(1);
    expect(await signatures.use('other', 'raced', later(1_000))).toBe(true);
    await signatures.free('ws', 'raced');
    expect([
      await signatures.use('ws', 'raced', later(1_000)),
      await signatures.use('other', 'raced', later(1_000)),
    ]).toEqual([true, false]);
  });

  it('are refused from memory in the process that used them, until they are freed', async () => {
    const inserted = jest.spyOn(world.parts.connection.collection('signatures'), 'insertOne');
    const { signatures } = world.stores;
    const uses: boolean[] = [];
    for (let n = 0; n < 3; n += 1) uses.push(await signatures.use('ws', 'repeated', later(1_000)));
    await signatures.free('ws', 'repeated');
    uses.push(await signatures.use('ws', 'repeated', later(1_000)));
    expect([uses, inserted.mock.calls.length]).toEqual([[true, false, false, true], 2]);
    inserted.mockRestore();
  });

  it('are swept once their dates have expired, a page at a time', async () => {
    const { signatures } = world.stores;
    for (const n of [1, 2, 3]) await signatures.use('swept', `s${n}`, later(n));
    expect(await signatures.sweep(later(0), 10)).toBe(0);
    expect([
      await signatures.sweep(later(2), 1),
      await signatures.sweep(later(2), 1),
      await signatures.sweep(later(2), 1),
    ]).toEqual([1, 1, 0]);
    const left = await world.parts.connection.collection('signatures').find({ ws: 'swept' }).toArray();
    expect(left.map(({ _id }) => String(_id))).toEqual(['swept:s3']);
  });
}
