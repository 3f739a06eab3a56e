import { ManualClock } from './clock';

it('moves only by advance', () => {
  const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
  const before = clock.now();
  clock.advance(7 * 86_400_000);
  expect(clock.now().toISOString()).toBe('2026-01-08T00:00:00.000Z');
  expect(before.toISOString()).toBe('2026-01-01T00:00:00.000Z');
});
