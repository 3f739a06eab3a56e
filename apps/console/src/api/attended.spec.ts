import { Attention, watchAttention } from './attended';

it('takes the viewer to be there for half a minute after the last deed', () => {
  const attention = new Attention();
  const there = (ms: number) => attention.isThere(ms);
  expect([there(29_999), there(30_000)]).toEqual([true, false]);
  attention.note(100_000);
  expect([there(129_999), there(130_000)]).toEqual([true, false]);
});

it.each(['pointerdown', 'keydown', 'wheel', 'touchstart'])('notes %s', (deed) => {
  const page = new EventTarget();
  const begunMs = performance.now();
  const now = jest.spyOn(performance, 'now');
  const isAttended = watchAttention(page);
  now.mockReturnValue(begunMs + 1_000_000);
  expect(isAttended()).toBe(false);
  page.dispatchEvent(new Event(deed));
  expect(isAttended()).toBe(true);
  now.mockRestore();
});
