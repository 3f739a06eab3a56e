import type { TestDatabase } from '@opendsr-service/storage/testing';
import { at, delivered, later, laneWith, noon, of, tellingWorld, tried } from '../testing/telling-world';
import { LaneMeasures } from './lanes.measures.store';

const MANY = 1_000;
const days = (count: number) => new Date(noon.getTime() + count * 86_400_000);

/** What the callback-dispatcher's measures say, on every store. */
export function laneMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of lanes on ${name}`, () => {
    const world = tellingWorld(database);
    let measures: LaneMeasures;
    beforeAll(() => { measures = new LaneMeasures(world.lanes); });

    it('find the lane that is overdue the longest, and none before its time', async () => {
      await world.store.open([laneWith('a', 'pending'), { ...laneWith('b', 'pending'), dueAt: later }], noon);
      expect(await measures.due(new Date(noon.getTime() - 1))).toBeUndefined();
      expect(await measures.due(days(1))).toEqual(noon);
    });

    it('find since when the log was not told, and nothing once it was', async () => {
      await world.store.open([laneWith('a', 'pending')], noon);
      expect(await measures.untold(later)).toEqual(noon);
      await world.worker().runOnce();
      expect(await measures.untold(later)).toBeUndefined();
    });

    it('count the lanes that have something to send, up to a limit', async () => {
      await world.turns.delivered(await world.claim('sent', 'pending'), tried(), ...delivered);
      await world.store.open(['a', 'b', 'c'].map((lane) => laneWith(lane, 'pending', 'in_progress')), noon);
      expect([await measures.undelivered(MANY), await measures.undelivered(2)]).toEqual([3, 2]);
    });

    it('find the status change that was not told for the longest among many, though its next try is the last of all', async () => {
      expect(await measures.oldestUndelivered()).toBeUndefined();
      const old = laneWith('old', 'pending');
      await world.store.open([{ ...old, pending: [{ v: 1, status: 'pending', at: '2026-11-15T00:00:00.000Z' }], dueAt: days(1) }], noon);
      await world.store.open(Array.from({ length: 450 }, (_, n) => laneWith(`lane-${n}`, 'pending')), noon);
      expect(await measures.oldestUndelivered()).toEqual(new Date('2026-11-15T00:00:00.000Z'));
    });

    it('take what is sent once more for no late callback', async () => {
      await world.turns.delivered(await world.claim('a', 'pending'), tried(), ...delivered);
      await world.connection.collection<ReturnType<typeof laneWith>>('lanes').updateOne({ lane: 'a' }, { $set: { pending: [{ v: 1, status: 'pending', at: '2026-01-01T00:00:00.000Z', replay: 'command' }], dueAt: noon } });
      expect(await measures.oldestUndelivered()).toBeUndefined();
      await world.store.append(of, { v: 2, callback: { v: 2, status: 'in_progress', at }, now: noon, dueAt: () => later });
      expect(await measures.oldestUndelivered()).toEqual(new Date(at));
    });
  });
}
