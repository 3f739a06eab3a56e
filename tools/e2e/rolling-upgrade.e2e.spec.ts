import { until } from '../receiver/until';
import { lastWords } from './child-service';
import { describeInFull } from './full';
import { startCluster, type Cluster } from './rolling/cluster';
import { PROPAGATION_MS, type Retired } from './rolling/deployment';
import { WAIT_MS } from './rolling/lives';
import { startLoad, type Load, type LoadSize } from './rolling/load';
import { settle, type Settled } from './rolling/settle';
import { suiteSettings } from './service';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;
const SIZE: LoadSize = { lives: 24, others: 8, pauseMs: 20 };
/** In the short time that one process takes to end, many calls are to come. */
const RUSH: LoadSize = { lives: 3, others: 4, pauseMs: 20 };
const ROUNDS = 5;
const SETTLE_MS = 120_000;
const START_MS = 180_000;
const LONGEST_MS = 1_200_000;
/** The processes of a cluster, each of which is replaced. */
const PROCESSES = 10;
const settings = {
  ...suiteSettings,
  ACCESS_WAIT_MS: String(WAIT_MS),
  WORKER_POLL_MS: '100',
  LOG_LEVEL: 'info',
  // Longer than the use of old endpoints, and than callers keep an idle connection (a second less than announced): a
  // connection that closes during its use breaks a call.
  STOP_DELAY_MS: String(10 * PROPAGATION_MS),
  HTTP_KEEP_ALIVE_MS: String(10 * PROPAGATION_MS),
};

const nothing = { lost: [], disordered: [], unlike: [], unbelieved: [] };
const calm = { broken: [], putOff: [], refused: [], wrong: [] };
const keeps = { brokenPromises: [], callbacks: nothing, missing: [] };

const describeOnServers = kafkaBrokers && mongodbUri ? describeInFull : describe.skip;

describeOnServers('a rolling upgrade', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ kafkaBrokers: kafkaBrokers ?? '', mongodbUri: mongodbUri ?? '' }, settings);
  }, START_MS);
  afterAll(() => cluster.stop(), START_MS);

  /** Makes calls during a change and returns their results after its end. */
  async function under(
    size: LoadSize,
    happens: (load: Load) => Promise<readonly Retired[]>,
  ): Promise<{ load: Load; retired: readonly Retired[]; settled: Settled }> {
    const began = performance.now();
    const load = startLoad(cluster, size);
    try {
      await until('lives with results', () => load.links.size > 2, SETTLE_MS);
      const retired = await happens(load);
      await load.stop();
      const settled = await settle(load, SETTLE_MS);
      printProgress(load, retired, settled, performance.now() - began);
      return { load, retired, settled };
    } catch (error) {
      console.error(String(error), lastWords(cluster.processes()));
      throw error;
    } finally {
      await load.stop();
    }
  }

  it(
    'replaces the processes of each service in turn, and loses no answer, no request, no batch and no callback',
    async () => {
      const { load, retired, settled } = await under(SIZE, async () => {
        const ends: Promise<Retired>[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          for (const deployment of cluster.deployments) ends.push(...(await deployment.roll()));
        }
        return Promise.all(ends);
      });
      expect(retired.map(({ part, exitCode }) => [part, exitCode])).toEqual(retired.map(({ part }) => [part, 0]));
      expect(retired).toHaveLength(ROUNDS * PROCESSES);
      const { broken, putOff, refused, wrong } = load.calls.ledger.faults();
      // Only ingestion delays calls while the event log takes more than a second, which a busy machine can cause.
      expect({ broken, refused, wrong, putOff: putOff.filter((call) => call !== 'events 503') }).toEqual(calm);
      expect([load.calls.unbelieved, load.backwards]).toEqual([[], []]);
      expect(settled).toMatchObject(keeps);
      expect(await cluster.parked()).toBe(0);
    },
    LONGEST_MS,
  );

  it(
    'would break answers without STOP_DELAY_MS, because calls still come to a process that stops',
    async () => {
      const gateways = cluster.deployment('gateway');
      const { load, retired, settled } = await under(RUSH, async (load) => {
        await gateways.add({ STOP_DELAY_MS: '0' });
        return [await gateways.retireNewest({ propagation: untilBroken(load) })];
      });
      expect(retired).toMatchObject([{ exitCode: 0 }]);
      expect(load.calls.ledger.faults().broken).not.toEqual([]);
      expect(settled).toMatchObject(keeps);
    },
    LONGEST_MS,
  );

  it(
    'would break answers where a process is killed, but loses nothing that was answered',
    async () => {
      const gateways = cluster.deployment('gateway');
      const { load, retired, settled } = await under(RUSH, async (load) => [
        await gateways.retireOldest({ signal: 'SIGKILL', propagation: untilBroken(load) }),
      ]);
      expect(retired).toMatchObject([{ exitCode: null }]);
      expect(load.calls.ledger.faults().broken).not.toEqual([]);
      expect(settled).toMatchObject(keeps);
    },
    LONGEST_MS,
  );

  /** Calls still come until one of them breaks, however slow the machine is; where none would, this waits in vain. */
  const untilBroken =
    ({ calls }: Load) =>
    () =>
      until('a call to break', () => calls.ledger.faults().broken.length > 0);

  function printProgress(
    { calls, lives, visitors, links }: Load,
    retired: readonly Retired[],
    { heard }: Settled,
    tookMs: number,
  ): void {
    const taken = visitors.reduce((sum, visitor) => sum + visitor.taken.length, 0);
    const parts = retired.map(
      ({ part, exitCode, stoppedInMs }) => `${part} ${String(exitCode)} in ${String(stoppedInMs)} ms`,
    );
    process.stdout.write(
      [
        `rolling upgrade: ${String(retired.length)} processes stopped in ${String(Math.round(tookMs / 1_000))} s: ${parts.join(', ')}`,
        `  ${calls.ledger.answered} answers ${JSON.stringify(calls.ledger.counts())} over ${cluster.connections()} connections`,
        `  ${lives.length} requests, ${heard.callbacks} callbacks, ${heard.repeats} repeats, ${taken} batches, ${links.size} archives`,
        '',
      ].join('\n'),
    );
  }
});
