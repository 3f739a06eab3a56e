import { cpuBetween, descendants, parseStat, partOf } from './cpu';

it('reads user and system time, whatever the name of the process', () => {
  const line = '4242 (a) b (c) S 17 4242 4242 0 -1 4194304 9 8 7 6 150 25 99 99 20 0 11 0 12345 1 2 3';
  expect(parseStat(line)).toEqual({ pid: 4242, parent: 17, cpuMs: 1750 });
});

it('knows the part of each process that a run starts', () => {
  expect(partOf(['/x/node', 'apps/callback-dispatcher/dist/main.mjs'])).toBe('callback-dispatcher');
  expect(partOf(['/x/node', '/repo/tools/run.mjs', 'tools/bench/generator.ts'])).toBe('generator');
  expect(partOf(['/cache/mongod-6.0.5', '--port', '0'])).toBe('mongod');
  expect(partOf(['java', '-cp', 'x', 'kafka.Kafka', 'server.properties'])).toBe('broker');
  expect(partOf(['/bin/sh', 'start-kafka'])).toBeUndefined();
});

it('counts children of children, and nothing that another started', () => {
  const of = (pid: number, parent: number) => ({ pid, parent, cpuMs: 0 });
  expect(descendants([of(4, 3), of(3, 2), of(2, 1), of(9, 8)], 1).map(({ pid }) => pid)).toEqual([2, 3, 4]);
});

it('counts a process that began in between from its beginning', () => {
  expect(
    cpuBetween(
      new Map([['a', 5]]),
      new Map([
        ['a', 7],
        ['b', 3],
      ]),
    ),
  ).toEqual(
    new Map([
      ['a', 2],
      ['b', 3],
    ]),
  );
});
