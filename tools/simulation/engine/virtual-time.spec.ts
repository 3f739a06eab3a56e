import { asOwner } from './owner';
import { VirtualTime } from './virtual-time';

it('runs what is due, in the order of its times, when it is moved and not before', () => {
  const time = new VirtualTime(0);
  const ran: string[] = [];
  time.set(() => ran.push('later'), 200);
  time.set(() => ran.push('sooner'), 100);
  expect(time.nextAtMs).toBe(100);
  time.moveTo(99);
  expect(ran).toEqual([]);
  time.moveTo(200);
  expect(ran).toEqual(['sooner', 'later']);
});

it('repeats what repeats until it is cleared', () => {
  const time = new VirtualTime(0);
  let ran = 0;
  const handle = time.set(() => (ran += 1), 100, 100);
  for (const ms of [100, 200]) time.moveTo(ms);
  time.clear(handle);
  time.moveTo(300);
  expect(ran).toBe(2);
});

it('forgets the timers of a process that has died', () => {
  const time = new VirtualTime(0);
  const owner = { name: 'process', isAlive: true };
  let ran = 0;
  asOwner(owner, () => time.set(() => (ran += 1), 100));
  owner.isAlive = false;
  expect(time.nextAtMs).toBeUndefined();
  time.moveTo(100);
  expect(ran).toBe(0);
});
