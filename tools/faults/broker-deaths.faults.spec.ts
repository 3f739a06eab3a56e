import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrokerId } from './brokers';
import { coordinatorOf } from './cluster';
import { Rig, sessionTimeoutMs } from './rig';
import { overFloorS, tableOf, type FaultResult } from './table';

const serversFolder = process.env['DSR_TEST_SERVERS'];
const short = process.env['DSR_FAULTS'] === 'short';
/**
 * Pauses between attempts grow with an outage, so after a long one a quarter of it is allowed. The short form runs beside other suites: it
 * tells a return from none.
 */
const mostOverFloorS = ({ floorS }: FaultResult): number => (short ? 60 : Math.max(5, floorS / 4));
const allDownMs = 20_000;
const flow = short
  ? { partitions: 6, recordsPerSecond: 100, keys: 60 }
  : { partitions: 12, recordsPerSecond: 300, keys: 500 };

describe('through the deaths of brokers and consumers, under a steady load over two hops', () => {
  let rig: Rig;
  const results: FaultResult[] = [];

  beforeAll(async () => {
    if (!serversFolder) throw new Error('DSR_TEST_SERVERS names no folder with start-kafka');
    rig = await Rig.start(serversFolder, flow);
  });

  afterAll(async () => {
    await rig?.stop();
    if (rig) rmSync(rig.folder, { recursive: true, force: true });
  });

  const killOne = (fault: string, choose: () => Promise<BrokerId>) => async () => {
    const id = await choose();
    const result = await rig.suffer(fault, {
      strike: () => rig.brokers.kill(id),
      ...(!short && { recover: () => rig.brokers.startOne(id) }),
    });
    results.push(result);
    expect(overFloorS(result)).toBeLessThanOrEqual(mostOverFloorS(result));
  };
  /** The coordinator of a group, preferably not the controller, which has its own test. */
  const coordinator = async (): Promise<BrokerId> => {
    const both = await Promise.all(
      (['first', 'second'] as const).map((hop) => coordinatorOf(rig.brokers.addresses, rig.group(hop))),
    );
    return (both.find((id) => id !== rig.brokers.controller()) ?? both[0]) as BrokerId;
  };
  const inLongForm = short ? it.skip : it;

  it(
    'is back soon after the controller died',
    killOne('controller', () => Promise.resolve(rig.brokers.controller())),
  );

  inLongForm('is back soon after a group’s coordinator died', killOne('coordinator', coordinator));

  inLongForm(
    'is back soon after another broker died',
    killOne('another broker', async () => {
      const busy = [rig.brokers.controller(), await coordinator()];
      return rig.brokers.ids.find((id) => !busy.includes(id)) as BrokerId;
    }),
  );

  inLongForm('is back soon after all three brokers were away', async () => {
    const result = await rig.suffer('all three, 20 s', {
      strike: () => rig.brokers.killAll(),
      early: () => delay(allDownMs).then(() => rig.brokers.startAll()),
      recover: () => Promise.resolve(),
    });
    results.push(result);
    expect(overFloorS(result)).toBeLessThanOrEqual(mostOverFloorS(result));
  });

  inLongForm('lets consumers close in the middle of their work just after a broker died', async () => {
    expect(await rig.closeAtDeath(rig.brokers.ids.find((id) => id !== rig.brokers.controller()) as BrokerId)).toEqual([
      0, 0,
    ]);
  });

  inLongForm('is back soon after a consumer died, once its session is over', async () => {
    const result = await rig.suffer('a consumer', {
      floorMs: sessionTimeoutMs,
      strike: () => rig.killConsumer('first a'),
      recover: () => rig.addConsumer('first', 'first c'),
    });
    results.push(result);
    expect(overFloorS(result)).toBeLessThanOrEqual(mostOverFloorS(result));
  });

  it('loses no acknowledged record, keeps the order of every key, and needs no intervention', async () => {
    const { ledger } = rig;
    const { dead } = rig;
    await rig.drain();
    const ends = await rig.stop();
    const counts = (['first', 'second'] as const).map((hop) => {
      const [lost, disordered] = [ledger.lost(hop), ledger.disordered(hop)];
      return { hop, lost: lost.length, disordered: disordered.length, duplicates: ledger.duplicates(hop) };
    });
    process.stdout.write(`\n${tableOf(results)}\n\n${ledger.acknowledgedCount} records acknowledged\n`);
    counts.forEach(({ hop, lost, disordered, duplicates }) =>
      process.stdout.write(`${hop} hop: ${lost} lost, ${disordered} out of order, ${duplicates} duplicates\n`),
    );
    expect(counts.map(({ hop, lost, disordered }) => ({ hop, lost, disordered }))).toEqual([
      { hop: 'first', lost: 0, disordered: 0 },
      { hop: 'second', lost: 0, disordered: 0 },
    ]);
    expect(dead).toEqual([]);
    expect(ends.filter(([, code]) => code !== 0)).toEqual([]);
  });
});
