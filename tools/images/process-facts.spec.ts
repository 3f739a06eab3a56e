import { cpuSecondsOf, factsOf, startedAtMs } from './process-facts';

/** Of a process whose name has brackets: 3 s of its user's time, 0.5 s of the system's, started after 50 s. */
const stat = `7 (a) b (c)) ${Array.from({ length: 40 }, (_, n) => ({ 11: 300, 12: 50, 19: 5_000 })[n] ?? n).join(' ')}`;

it('reads the start of a process with any name', () => {
  expect(startedAtMs({ stat, uptime: '60.00 100.00\n', nowMs: 1_000_000 })).toBe(990_000);
});

it('reads the CPU that a process has taken', () => {
  expect(cpuSecondsOf(stat)).toBe(3.5);
});

const status = (more: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    Uid: '65532\t65532\t65532\t65532',
    Gid: '65532\t65532\t65532\t65532',
    VmRSS: '  10240 kB',
    CapInh: '0',
    CapPrm: '0',
    CapEff: '0',
    CapBnd: '0',
    CapAmb: '0',
    NoNewPrivs: '1',
    ...more,
  })
    .map(([name, value]) => `${name}:\t${value}\n`)
    .join('');

it('reads the user, rights and memory of a process', () => {
  expect(factsOf(status())).toEqual({
    user: '65532',
    group: '65532',
    capabilities: 0n,
    mayGainRights: false,
    memoryMiB: 10,
  });
});

it('notices a second user, rights that a process may gain, and a capability in any set', () => {
  expect(factsOf(status({ Uid: '65532\t0\t65532\t65532', NoNewPrivs: '0' }))).toMatchObject({
    user: '65532 0',
    mayGainRights: true,
  });
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    expect(factsOf(status({ [set]: '00000000a80425fb' })).capabilities).toBe(0xa80425fbn);
});
