import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { ClaimedLane } from '../lanes/lane';
import { deliveryId } from '../lanes/lane-events';
import { at, delivered, given, idOf, later, laneWith, noon, of, tellingWorld, tried } from '../testing/telling-world';
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

    it('find the status change that was not told for the longest, wherever its next try stands among many', async () => {
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      const waiting = (name: string, at: string, dueAt: Date) => ({ ...laneWith(name, 'pending'), pending: [{ v: 1, status: 'pending', at } as const], dueAt });
      const many = Array.from({ length: 210 }, (_, n) => [waiting(`fresh-${n}`, at, noon), waiting(`late-${n}`, '2026-11-21T11:00:00.000Z', days(2))]);
      await world.store.open([waiting('old', '2026-11-15T00:00:00.000Z', days(1)), ...many.flat()], noon);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-15T00:00:00.000Z'));
    });

    it('go on with what follows once the oldest was told, and know nothing where all was', async () => {
      const claimed = await world.claim('a', 'pending');
      await come(2, '2026-11-21T11:59:10.000Z');
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      expect(await world.turns.delivered(claimed, tried(), noon, { leaseUntil: later, dueAt: noon })).toBeUndefined();
      expect(await measures.oldestUndelivered(noon)).toEqual(noon);
      const both = await claimAgain();
      await world.turns.putOff(both, { ...tried('unreachable'), nextAt: noon }, { tries: 1, failingSince: noon });
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-21T11:59:10.000Z'));
      await come(3, '2026-11-21T11:59:20.000Z');
      const held = await world.turns.delivered(await claimAgain(), tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-21T11:59:20.000Z'));
      await world.turns.giveUp(held as ClaimedLane, 'exhausted', given);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
    });

    it('take what is sent once more for no late callback, whether it came before, meanwhile or alone', async () => {
      const claimed = await world.claim('a', 'pending', 'in_progress');
      const second = (await world.turns.delivered(claimed, tried(), ...delivered)) as ClaimedLane;
      await replay(1);
      await world.turns.delivered(second, tried(), noon, { leaseUntil: later, dueAt: later });
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      await world.turns.giveBack(await claimAgain(), noon);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      const again = await claimAgain();
      await come(3, at);
      await replay(2);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      await world.turns.delivered(again, tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      await world.turns.delivered(await claimAgain(), tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
    });

    it('count a lane of before that time was kept from the end of its next turn', async () => {
      const claimed = await world.claim('a', 'pending');
      await world.lanes.update({ _id: claimed._id, ws: claimed.ws }, { $unset: { undeliveredSince: 1 } });
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      await world.turns.giveBack(claimed, later);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
    });

    const come = (v: number, at: string) => world.store.append(of, { v, callback: { v, status: 'in_progress', at }, now: noon, dueAt: () => noon });
    const replay = (version: number) => world.store.replay({ type: 'ReplayCallback', id: `command-${version}`, ...of, at, lane: 'a', version, delivery: deliveryId({ _id: idOf('a') }, version) }, noon);
    const claimAgain = async () => (await world.turns.claimDue(noon, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedLane;
  });
}
