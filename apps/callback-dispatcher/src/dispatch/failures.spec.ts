import type { Destination } from '../destinations/destination';
import { statuses } from '../testing/receiver';
import { DAY, eachInAWorld, SECOND, type World } from '../testing/world';
import { DispatchWorker } from './dispatch.worker';
import type { TryOutcome } from './outcome';

const [ATTEMPTS, GIVEN_UP] = ['opendsr_callback_attempts_total', 'opendsr_callbacks_given_up_total'];
/** Longer than a claim holds. */
const LEASE = 10 * 60 * SECOND;
const NONE = { delivered: 0, rejected: 0, gone: 0, unreachable: 0, postponed: 0 };

let world: World;
eachInAWorld((opened) => {
  world = opened;
});

describe('a receiver that fails', () => {
  it('is retried after growing gaps until it accepts the callback', async () => {
    world.receiver.answer = () => (world.receiver.heard.length < 5 ? 503 : 200);
    await world.admit(['/dsr']);
    const after: number[] = [];
    for (let tick = 1; tick <= 16; tick += 1) {
      const before = world.receiver.heard.length;
      await world.pass();
      if (world.receiver.heard.length > before) after.push(tick);
    }
    // The first on the tick, then after 1, 2, 4 and again 4; of each 4 one may be missing.
    const gaps = after.map((tick, n) => tick - (after[n - 1] ?? 0));
    expect(gaps.map((gap) => (gap === 3 ? 4 : gap))).toEqual([1, 1, 2, 4, 4]);
    expect(await world.destination()).toMatchObject({ pending: [] });
    expect(await world.destination()).not.toHaveProperty('failingSince');
  });

  it('for seven days is given up with all waiting callbacks; a later status change is sent again', async () => {
    world.receiver.answer = () => 500;
    await world.admit(['/dsr']);
    await world.begin();
    await world.pass();
    world.clock.advance(7 * DAY - SECOND);
    await world.pass();
    const given = await world.destination();
    expect(given.past?.map(({ v, reason }) => [v, reason])).toEqual([
      [1, 'exhausted'],
      [2, 'exhausted'],
    ]);
    expect(given.pending).toEqual([]);
    expect(given).not.toHaveProperty('dueAt');
    expect([world.metric(ATTEMPTS), world.metric(GIVEN_UP)]).toEqual([
      { ...NONE, rejected: 2 },
      { gone: 0, exhausted: 2, 'key-destroyed': 0 },
    ]);
    expect(world.lines.join('')).toContain('Callbacks are given up');
    world.receiver.answer = () => 202;
    world.receiver.heard = [];
    await world.pass(20);
    expect(world.receiver.heard).toEqual([]);
    await world.complete();
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['completed']);
  });

  it('is not one whose callback could not be opened, because the key service was away', async () => {
    const { vault } = world.keys;
    const opening = jest.spyOn(vault, 'key');
    opening.mockRejectedValue(Object.assign(new Error('away'), { name: 'KeyServiceAway' }));
    await world.admit(['/dsr']);
    await world.pass();
    expect(opening).toHaveBeenCalled();
    const waiting = await world.destination();
    expect(waiting.pending).toHaveLength(1);
    expect(waiting).not.toHaveProperty('failingSince');
    opening.mockRestore();
    world.clock.advance(LEASE);
    await world.pass();
    expect(statuses(world.receiver.heard)).toEqual(['pending']);
    expect(world.metric(ATTEMPTS)).toEqual({ ...NONE, delivered: 1 });
  });

  it('and says 410 is not called again', async () => {
    world.receiver.answer = () => 410;
    await world.admit(['/dsr']);
    await world.begin();
    await world.pass();
    await world.complete();
    await world.pass(50);
    expect(statuses(world.receiver.heard)).toEqual(['pending']);
    expect((await world.destination()).goneAt).toBeDefined();
    // Those that waited then, and the one that came after.
    expect([world.metric(ATTEMPTS), world.metric(GIVEN_UP)]).toEqual([
      { ...NONE, gone: 1 },
      { gone: 3, exhausted: 0, 'key-destroyed': 0 },
    ]);
  });

  it.each([410, 500])('and responds %d is given up only by the holder of the claim', async (status) => {
    await world.admit(['/dsr']);
    world.receiver.answer = () => 500;
    await world.pass();
    world.clock.advance(7 * DAY);
    world.receiver.answer = async () => {
      await world.connection.collection<Destination>('destinations').updateOne({}, { $set: { token: 'taken over' } });
      return status;
    };
    await world.send();
    expect(world.metric(GIVEN_UP)).toEqual({ gone: 0, exhausted: 0, 'key-destroyed': 0 });
    expect(world.lines.join('')).not.toContain('Callbacks are given up');
  });

  it.each([0, 700, 1_500])(
    'and does not respond is retried and given up at times that do not reveal that it took %d ms',
    async (tookMs) => {
      const unreachable: TryOutcome = { kind: 'failed', reason: 'timeout', durationMs: tookMs };
      const post = () => {
        world.clock.advance(tookMs);
        return Promise.resolve(unreachable);
      };
      const by = new DispatchWorker({ ...world, client: { post } });
      await world.admit(['/dsr']);
      for (const wait of [SECOND, 7 * DAY]) {
        world.clock.advance(wait);
        await by.runOnce();
        await by.idle();
      }
      const published = ((await world.destination()).outbox ?? []).map((event) => [
        'outcome' in event && event.outcome,
        event.at,
        'nextAt' in event && event.nextAt,
      ]);
      const [begun, next] = ['2026-11-21T12:00:01.500Z', '2026-11-21T12:00:02.000Z'];
      const again = new Date(Date.parse(begun) + 7 * DAY + tookMs).toISOString();
      expect(published).toEqual([
        ['unreachable', begun, next],
        ['unreachable', again, false],
        [false, again, false],
      ]);
    },
  );

  it('does not hold up the other URLs of the request', async () => {
    world.receiver.answer = ({ path }) => (path === '/bad' ? 500 : 202);
    await world.admit(['/bad', '/good']);
    await world.begin();
    await world.pass();
    expect(statuses(world.receiver.heard.filter(({ path }) => path === '/good'))).toEqual(['pending', 'in_progress']);
  });
});
