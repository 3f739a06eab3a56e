import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../e2e/child-service';
import type { Service } from '../e2e/service';
import { until } from '../receiver/until';
import { startServersOf } from '../servers';
import { BrokerProxy } from './broker-proxy';
import { withReceivers } from './callbacks';
import { startOnServers } from './forms';
import { operationsOfEach, type Operations, type OperationsMeasured } from './operations-result';
import { withService, type Rig } from './rig';
import { untilIdle } from './settle';
import { withDatabase } from './stored';
import { readTopics } from './stores-use';

/** Few enough for a busy machine: what is counted does not depend on its speed, but shared commands depend on the rate. */
const PER_SECOND = 20;
const CALLBACKS = 300;
const TICK_MS = 2_000;
const LONGEST_SETTLE_MS = 30_000;
const LONGEST_LIFE_MS = 60_000;
const IDLE_MS = 10_000;
const sandbox: Environment = { TIMING_PROFILE: 'sandbox' };

/**
 * What the drivers do for one thing: commands as MongoDB counts them, requests as they pass to Kafka. `folder`: where servers can
 * be started, because the broker must advertise a proxy.
 */
export async function measureOperations(rig: Rig, folder: string): Promise<OperationsMeasured> {
  const proxy = await BrokerProxy.listen();
  const own = await startServersOf(folder, [`advertised.listeners=PLAINTEXT://${proxy.address}`]);
  try {
    proxy.forwardTo(Number(own.kafkaBrokers.split(':')[1]));
    const servers = { ...own, kafkaBrokers: proxy.address };
    const counting = new Counting(proxy, {
      ...rig,
      brokers: proxy.address,
      start: (settings) => startOnServers(servers, settings, 1),
    });
    rig.say('operations');
    return {
      perSecond: PER_SECOND,
      create: await counting.creates(),
      callback: await counting.callbacks(),
      ...(await counting.lives()),
    };
  } finally {
    proxy.close();
    await own.stop();
  }
}

class Counting {
  constructor(
    private readonly proxy: BrokerProxy,
    private readonly rig: Rig,
  ) {}

  creates(): Promise<Operations> {
    return withService(this.rig, { ...sandbox, ACCESS_WAIT_MS: '1h' }, async (service) => {
      await untilIdle(LONGEST_SETTLE_MS);
      return this.each(service, () => this.hold());
    });
  }

  callbacks(): Promise<Operations> {
    return withReceivers(this.rig, {}, ({ receivers, hosts, tls, generator }, settings) =>
      withService(this.rig, { ...settings, CALLBACK_TICK_MS: String(TICK_MS) }, async (service) => {
        const living = hosts.slice(0, 1);
        const bases = await receivers.ask('open', { living, silent: undefined, tls, trust: service.trust });
        await untilIdle(LONGEST_SETTLE_MS);
        return this.each(service, async () => {
          const { admitted } = await generator.ask('backlog', { bases, count: CALLBACKS });
          const expected = admitted[0] ?? 0;
          const all = async () => (await receivers.ask('count', undefined)) >= expected;
          await until('all callbacks', all, LONGEST_LIFE_MS);
          return expected;
        });
      }),
    );
  }

  lives(): Promise<Pick<OperationsMeasured, 'life' | 'idleSecond'>> {
    return withService(this.rig, { ...sandbox, ACCESS_WAIT_MS: '1s' }, async (service) => {
      await untilIdle(LONGEST_SETTLE_MS);
      const life = await this.each(service, () => this.hold(LONGEST_LIFE_MS));
      const before = await this.read(service);
      await sleep(IDLE_MS);
      return { life, idleSecond: operationsOfEach(before, await this.read(service), IDLE_MS / 1_000) };
    });
  }

  private async hold(followMs?: number): Promise<number> {
    const { generator, windowMs: durationMs } = this.rig;
    const held = await generator.ask('hold', {
      perSecond: PER_SECOND,
      durationMs,
      ...(followMs !== undefined && { followMs }),
    });
    return held.admitted;
  }

  private async each(service: Service, work: () => Promise<number>): Promise<Operations> {
    const before = await this.read(service);
    const count = await work();
    await untilIdle(LONGEST_SETTLE_MS);
    return operationsOfEach(before, await this.read(service), count);
  }

  private async read({ stores }: Service): Promise<Operations> {
    const topics = Object.values(await readTopics([this.proxy.address]));
    const { produces, fetches, commits } = this.proxy.counts;
    return {
      ...(await readCommands(stores)),
      ...{ produces, fetches, commits },
      records: topics.reduce((sum, { records }) => sum + records, 0),
    };
  }
}

interface CommandCounts {
  readonly metrics: {
    readonly commands: Readonly<Record<string, { readonly total: number }>>;
    readonly document: Readonly<Record<'inserted' | 'updated' | 'deleted', number>>;
  };
}

const readCommands = (stores: Service['stores']): Promise<Pick<Operations, 'finds' | 'writes' | 'documents'>> =>
  withDatabase(stores, 'gateway', async (database) => {
    const admin = database.db?.admin();
    const { metrics } = (await admin?.command({ serverStatus: 1 })) as unknown as CommandCounts;
    const total = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + Number(metrics.commands[name]?.total ?? 0), 0);
    const { inserted, updated, deleted } = metrics.document;
    return {
      finds: total('find', 'aggregate', 'count'),
      writes: total('insert', 'update', 'delete', 'findAndModify'),
      documents: Number(inserted) + Number(updated) + Number(deleted),
    };
  });
