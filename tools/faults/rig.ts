import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '@opendsr-service/messaging';
import { Brokers, type BrokerId } from './brokers';
import { bundle, Child } from './child';
import { ClosingConsumers } from './closing-consumers';
import { floorReachedAt, isWhole } from './cluster';
import { Ledger, type Hop } from './ledger';
import type { FaultResult } from './table';
import { clock, type Acknowledged, type Handled } from './tasks';

export const sessionTimeoutMs = 6_000;
const topics = { first: 'faults.first.v1', second: 'faults.second.v1', probe: 'faults.probe.v1' };
const groupOf = { first: 'faults-first', second: 'faults-second' } as const;
const restMs = 3_000;

/** What flows: `partitions` of each topic, records each second, and so many keys that each partition has some. */
export interface Flow {
  readonly partitions: number;
  readonly recordsPerSecond: number;
  readonly keys: number;
}

async function until(what: string, condition: () => boolean | Promise<boolean>, atMostMs = 120_000): Promise<void> {
  const end = clock() + atMostMs;
  while (!(await condition())) {
    if (clock() > end) throw new Error(`never came: ${what}`);
    await delay(100);
  }
}

/** Three brokers, a steady load, and two hops of two consumers each, all in processes of their own. */
export class Rig {
  readonly ledger = new Ledger();
  private readonly children = new Map<string, Child>();
  private readonly killed = new Set<string>();

  private constructor(
    readonly brokers: Brokers,
    readonly folder: string,
    private readonly programs: { readonly load: string; readonly relay: string },
    private readonly flow: Flow,
  ) {}

  static async start(serversFolder: string, flow: Flow): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), 'faults-'));
    const programs = { load: await bundle('load', folder), relay: await bundle('relay', folder) };
    const rig = new Rig(await Brokers.start(serversFolder, folder), folder, programs, flow);
    try {
      await rig.prepare();
    } catch (error) {
      await rig.stop();
      throw error;
    }
    return rig;
  }

  /** Causes a fault, waits until all flows again, repairs it, where it can, and measures the times. */
  async suffer(
    fault: string,
    strike: { readonly floorMs?: number; strike(): Promise<void>; recover?(): Promise<void>; early?(): Promise<void> },
  ): Promise<FaultResult> {
    const { partitions } = this.flow;
    await delay(restMs);
    const since = clock();
    const say = (what: string): void =>
      void process.stdout.write(`${fault}: ${what} after ${((clock() - since) / 1_000).toFixed(1)} s\n`);
    await strike.strike();
    const early = strike.early?.();
    const floor = floorReachedAt(this.brokers.addresses, topics.probe, partitions);
    await until(`consumption after: ${fault}`, () =>
      (['first', 'second'] as const).every((hop) => this.ledger.consumingAgainAt(hop, since, partitions) !== undefined),
    );
    const after = (at: number | undefined): number => ((at ?? NaN) - since) / 1_000;
    say('consumption back');
    await floor;
    say('floor reached');
    const result: FaultResult = {
      fault,
      floorS: Math.max(after(await floor), (strike.floorMs ?? 0) / 1_000),
      acknowledgingS: after(this.ledger.acknowledgingAgainAt(since, partitions)),
      firstHopS: after(this.ledger.consumingAgainAt('first', since, partitions)),
      secondHopS: after(this.ledger.consumingAgainAt('second', since, partitions)),
    };
    await early;
    if (!strike.recover) return result;
    await strike.recover();
    say('mended');
    await until('all replicas in sync', () => isWhole(this.brokers.addresses, Object.values(topics)));
    say('whole again');
    return result;
  }

  /** Lets a broker die, and come again once consumers have noticed its death and close; answers how each of them ended. */
  async closeAtDeath(id: BrokerId): Promise<readonly (number | null)[]> {
    const closing = await ClosingConsumers.start(this.brokers.addresses, this.folder);
    await this.brokers.kill(id);
    const ended = closing.ended();
    // A broker that came back sooner could go unnoticed.
    await Promise.race([closing.closing, ended]);
    await this.brokers.startOne(id);
    const ends = await ended;
    await until('all replicas in sync', () => isWhole(this.brokers.addresses, Object.values(topics)));
    return ends;
  }

  group(hop: Hop): string {
    return groupOf[hop];
  }

  async killConsumer(name: string): Promise<void> {
    this.killed.add(name);
    await this.children.get(name)?.kill();
  }

  /** Resolves when it consumes: a signal that comes sooner kills it. */
  addConsumer(hop: Hop, name: string): Promise<void> {
    const started = Promise.withResolvers<void>();
    const task = {
      brokers: this.brokers.addresses,
      group: groupOf[hop],
      from: topics[hop],
      sessionTimeoutMs,
      ...(hop === 'first' && { to: topics.second }),
    };
    this.add(name, this.programs.relay, task, (line) => {
      started.resolve();
      this.ledger.noteHandled(hop, line as readonly Handled[]);
    });
    return started.promise;
  }

  /** Children that died without a kill. */
  get dead(): readonly string[] {
    return [...this.children.values()]
      .filter((child) => !child.alive && !this.killed.has(child.name))
      .map(({ name }) => name);
  }

  /** Ends the load and waits until everything acknowledged has gone both hops, or time is over. */
  async drain(): Promise<void> {
    await this.children.get('load')?.stop();
    await until(
      'all that was acknowledged',
      () => this.ledger.lost('first').length + this.ledger.lost('second').length === 0,
    ).catch(() => undefined);
  }

  /** Stops all processes; answers how those ended that were not killed. */
  async stop(): Promise<readonly (readonly [name: string, code: number | null])[]> {
    const left = [...this.children.values()].filter(({ name }) => !this.killed.has(name));
    const ends = await Promise.all(left.map(async (child) => [child.name, await child.stop()] as const));
    await this.brokers.stop();
    return ends;
  }

  private async prepare(): Promise<void> {
    const { partitions, ...rate } = this.flow;
    const log = await openLog({ kafka: { brokers: this.brokers.addresses, clientId: 'rig' } });
    const definitions = Object.values(topics).map((name) => ({ name, partitions, retentionMs: 3_600_000 }));
    await log.topics.apply(definitions, { replication: 3, minIsr: 2 });
    await log.close();
    const started = (['first', 'second'] as const).flatMap((hop) =>
      ['a', 'b'].map((which) => this.addConsumer(hop, `${hop} ${which}`)),
    );
    await Promise.all(started);
    const load = { brokers: this.brokers.addresses, topic: topics.first, ...rate };
    this.add('load', this.programs.load, load, (line) => this.ledger.noteAcknowledged(line as Acknowledged));
    await until('the load to flow', () => this.ledger.consumingAgainAt('second', 0, partitions) !== undefined);
    await until('all replicas in sync', () => isWhole(this.brokers.addresses, Object.values(topics)));
  }

  private add(name: string, file: string, task: unknown, onLine: (line: unknown) => void): void {
    this.children.set(name, new Child(name, { file, task, logFile: join(this.folder, 'children.log') }, onLine));
  }
}
