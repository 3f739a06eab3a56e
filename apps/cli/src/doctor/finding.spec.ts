import { ConnectionFault } from '@opendsr-service/storage';
import { clockFinding } from './clocks';
import { exitOf, fail, findingsOf, GIVE_RIGHTS, lineOf, ok, warn } from './finding';
import { freeFinding } from './folder-checks';
import { oplogFinding } from './store-checks';

const throwing = (error: Error) => [{ name: 'x', run: () => Promise.reject(error) }];

describe('findings', () => {
  it('are a line each, with what to do', () => {
    expect([ok('a', 'well'), warn('b', 'soon', 'fix it'), fail('c', 'broken', 'fix it')].map(lineOf)).toEqual([
      'ok    a: well',
      'warn  b: soon – fix it',
      'FAIL  c: broken – fix it',
    ]);
  });

  it('end with 0 where nothing fails, with 1 where something does, with 3 where a server is away', () => {
    expect(exitOf([ok('a', ''), warn('b', '', '')])).toBe(0);
    expect(exitOf([ok('a', ''), fail('b', '', '')])).toBe(1);
    expect(exitOf([fail('b', '', ''), { ...fail('c', '', ''), away: 'MongoDB' }])).toBe(3);
  });

  it('come from the other checks where one throws, and repeat no words that are not ours', async () => {
    const [found, next] = await findingsOf([
      ...throwing(new Error('mongodb://root:hunter2@db.internal/?x')),
      { name: 'y', run: () => Promise.resolve([ok('y', 'well')]) },
    ]);
    expect(found).toEqual(fail('x', 'the command failed (Error)', 'fix it, and check again'));
    expect(next).toEqual(ok('y', 'well'));
    const [refused] = await findingsOf(
      throwing(new ConnectionFault('MongoDB', 'authentication', { cause: new Error('hunter2') })),
    );
    expect(refused).toMatchObject({
      state: 'fail',
      away: 'MongoDB',
      found: 'MongoDB: it does not accept the user, the password, the mechanism or the certificate (authentication)',
    });
  });

  it('say that a right is missing, which is no server that is away: the next checks run', async () => {
    const needs = 'Kafka';
    const denied = Object.assign(new Error('hunter2'), {
      ...{ name: 'KafkaJSProtocolError', type: 'GROUP_AUTHORIZATION_FAILED' },
    });
    const findings = await findingsOf([
      { name: 'x', needs, run: () => Promise.reject(denied) },
      { name: 'y', needs, run: () => Promise.resolve([ok('y', 'well')]) },
    ]);
    expect(findings).toEqual([
      fail('x', 'Kafka: it does not allow the user what the service needs (authorization)', GIVE_RIGHTS),
      ok('y', 'well'),
    ]);
    expect(exitOf(findings)).toBe(1);
  });
});

it.each([
  [900, 0, 'ok'],
  [-1_100, 0, 'warn'],
  [1_100, 200, 'ok'],
  [5_001, 0, 'fail'],
  [-5_400, 500, 'warn'],
] as const)('a clock that is off by %d ms, known to within %d ms, is %s', (aheadMs, uncertainMs, state) => {
  expect(clockFinding('clock', { aheadMs, uncertainMs }).state).toBe(state);
});

it('a disk is warned of below 2 GiB, and fails below 256 MiB', () => {
  expect([2_048, 2_047, 256, 255].map((mib) => freeFinding(mib * 1_048_576).state)).toEqual([
    'ok',
    'warn',
    'warn',
    'fail',
  ]);
});

it.each([
  [
    { seconds: 111_600 },
    'it reaches back 31.0 hours, and grows to its size: a key that was destroyed can be read there for as long',
  ],
  [
    { seconds: 90 },
    'it reaches back 0.0 hours, and grows to its size: a key that was destroyed can be read there for as long',
  ],
  [
    'not readable' as const,
    'this user cannot read it (database local); rs.printReplicationInfo() shows how long a destroyed key stays in it',
  ],
  ['none' as const, 'there is none here'],
])('an oplog of %j is reported, and is no fault', (window, found) => {
  expect(oplogFinding(window)).toEqual({ check: 'oplog', state: 'ok', found });
});
