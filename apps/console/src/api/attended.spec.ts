import { watchAttention } from './attended';

const clock = jest.spyOn(performance, 'now');
afterAll(() => clock.mockRestore());

/** Whether somebody is there so many milliseconds after the page began. */
const at = (isAttended: () => boolean, ms: number): boolean => {
  clock.mockReturnValue(ms);
  return isAttended();
};

it.each(['pointerdown', 'keydown', 'wheel', 'touchstart'])(
  'takes the viewer to be there for half a minute after a %s',
  (deed) => {
    const page = new EventTarget();
    const isAttended = watchAttention(page);
    expect([at(isAttended, 29_999), at(isAttended, 30_000)]).toEqual([true, false]);
    clock.mockReturnValue(100_000);
    page.dispatchEvent(new Event(deed));
    expect([at(isAttended, 129_999), at(isAttended, 130_000)]).toEqual([true, false]);
  },
);
