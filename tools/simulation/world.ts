import { createSecretKey } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { Controller } from './actors/controller';
import { Operators } from './actors/operators';
import { OutsideParticipants } from './actors/outside-participants';
import { plansOf, type LifePlan } from './actors/plan';
import { profileCalls } from './actors/profiles';
import { Receiver } from './actors/receiver';
import { Chance } from './engine/chance';
import { CALM, Scheduler } from './engine/scheduler';
import { resetTimeAndChance, inPlaceOf } from './engine/takeover';
import { finalState, isQuiet, progressOf, type FinalState } from './final-state';
import { createWorkspaces } from './workspaces';
import { unreadableKeys } from './living-keys';
import { History } from './history';
import { Incidents, makeUnreliable, roughWeather, stallingWeather } from './incidents';
import { watchTopics } from './topic-watch';
import { isOf, WORLD_KINDS, silenceIn } from './scale';
import { extendCommand, waiveCommand } from './services/command';
import type { Kind } from './services/kinds';
import { Replica } from './services/replica';
import { keysOf, type WorldParts } from './services/world-parts';
import { Broker } from './stores/broker';
import { GenerationService } from './stores/generation-service';
import { Leases } from './stores/leases';
import { Stalls } from './stores/stalls';
import type { Reader } from './stores/simulated-log';

/** The outcome of a world at rest, or at its time limit. */
export interface Outcome {
  readonly plans: readonly LifePlan[];
  readonly history: History;
  readonly final: FinalState;
  /** Every step, with the time since the beginning in milliseconds. */
  readonly diary: readonly string[];
  readonly steps: number;
  /** How many bulk writes were done in part. */
  readonly torn: number;
  /** Queries and writes that named no shard key. */
  readonly scattered: ReadonlySet<string>;
  /** Stored data keys that do not open in the end. */
  readonly unreadableKeys: readonly string[];
  readonly generationsDestroyedAt: ReadonlyMap<number, Date>;
}

const GATEWAYS: readonly string[] = ['gateway-a', 'gateway-b'];
const OTHERS: readonly (readonly [string, Kind])[] = [
  ['request-a', 'request'],
  ['request-b', 'request'],
  ['dispatcher-a', 'dispatcher'],
  ['dispatcher-b', 'dispatcher'],
  ['data-a', 'data'],
];

const BOOT_WITHIN_MS = 120_000;
const ROUGH_FOR_MS = 600_000;
/** Longer than every lease and every gap between two attempts: a world without a change for this time is stuck. */
const STUCK_AFTER_MS = 400_000;
const LOOK_EVERY_MS = 15_000;

/** Where a store that syncs each commit waits for no disk, unless the run names a folder. */
const memory = (): string => process.env.TMPDIR ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

/**
 * Runs a world: its processes boot, controllers act while faults occur, then the world runs without faults until it
 * rests.
 */
export async function liveThrough(seed: number): Promise<Outcome> {
  resetTimeAndChance(seed);
  const dataDir = mkdtempSync(join(memory(), 'simulation-'));
  const storage = await openStorage({ dataDir });
  try {
    return await new World(seed, dataDir, storage).live();
  } finally {
    await storage.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Seven processes on shared stores with their outside actors. The seed decides everything. */
class World {
  private readonly time = inPlaceOf.time;
  private readonly chance: Chance;
  private readonly history = new History();
  private readonly diary: string[] = [];
  private readonly scattered = new Set<string>();
  private readonly startMs = this.time.ms;
  private readonly broker = new Broker<Reader>(() => this.time.ms);
  private readonly scheduler: Scheduler;
  private readonly parts: WorldParts;
  private readonly operators: Operators;

  constructor(
    private readonly seed: number,
    dataDir: string,
    private readonly storage: Storage,
  ) {
    const chance = (this.chance = new Chance(seed + 1));
    const { time, broker, history } = this;
    const diary = (line: string): void => void this.diary.push(`${String(time.ms - this.startMs).padStart(7)} ${line}`);
    const scheduler = (this.scheduler = new Scheduler(time, chance.fork(), diary));
    const leases = new Leases();
    const stalls = new Stalls({ time, chance: new Chance(~seed), probability: () => scheduler.weather.stall, diary });
    const receiver = new Receiver({
      gate: scheduler,
      history,
      leases,
      chance: chance.fork(),
      time,
      isRough: () => this.isRough,
    });
    this.parts = {
      dataDir,
      time,
      chance: chance.fork(),
      scheduler,
      broker,
      leases,
      stalls,
      scattered: this.scattered,
      masterKey: createSecretKey(chance.bytes(32)),
      generations: isOf(WORLD_KINDS.rotation, seed)
        ? new GenerationService({ gate: scheduler, chance: chance.fork(), time })
        : undefined,
      senderOf: (owner) => receiver.senderOf(owner),
      diary,
    };
    this.operators = new Operators({
      history,
      chance: chance.fork(),
      wait: (ms) => time.waitOutside(ms),
      now: () => time.now(),
      extend: (wish) => extendCommand(wish, this.parts).run(),
      waive: (waiver) => waiveCommand(waiver, this.parts).run(),
    });
  }

  async live(): Promise<Outcome> {
    await this.createWorkspaces();
    const gateways = GATEWAYS.map((name) => new Replica(name, 'gateway', this.parts));
    const replicas = [...gateways, ...OTHERS.map(([name, kind]) => new Replica(name, kind, this.parts))];
    await this.scheduler.run(() => replicas.every(({ isUp }) => isUp), this.time.ms + BOOT_WITHIN_MS);

    if (this.parts.generations) await this.bringInProfiles(replicas);
    const controllers = this.controllers(gateways);
    await this.inRoughWeather(replicas, controllers);
    const final = await this.untilRest();
    await this.untilAll(
      controllers.map((controller) => controller.read()),
      BOOT_WITHIN_MS,
    );
    for (const replica of replicas) replica.end();
    const {
      history,
      diary,
      scheduler,
      scattered,
      parts: { generations },
    } = this;
    return {
      plans: controllers.map(({ plan }) => plan),
      history,
      final,
      diary,
      steps: scheduler.steps,
      torn: scheduler.torn,
      scattered,
      unreadableKeys: generations ? await unreadableKeys(this.storage, this.parts) : [],
      generationsDestroyedAt: generations?.destroyedAt ?? new Map<number, Date>(),
    };
  }

  private get isRough(): boolean {
    return this.scheduler.weather !== CALM;
  }

  private async createWorkspaces(): Promise<void> {
    const { storage, parts: around, time, broker, history } = this;
    const { secrets, reportKey } = await createWorkspaces(storage, keysOf(around), time);
    const participants = new OutsideParticipants({
      broker,
      chance: this.chance.fork(),
      wait: (ms) => time.waitOutside(ms),
      now: () => time.now(),
      secrets,
      silent: silenceIn(this.seed),
      waive: (share) => this.operators.waiveParticipant(share),
    });
    watchTopics(broker, { history, participants, reportKey });
  }

  /** So that erasures have something to destroy. */
  private async bringInProfiles(replicas: readonly Replica[]): Promise<void> {
    const data = replicas.find(({ name }) => name === 'data-a');
    const calls = profileCalls(this.time.now()).map(async (call) => {
      const answer = await data?.call(call);
      if (answer?.status !== 200) throw new Error(`no profile was brought in: ${answer?.status} ${answer?.body}`);
    });
    await this.untilAll(calls, BOOT_WITHIN_MS);
    await Promise.all(calls);
  }

  private controllers(gateways: readonly Replica[]): Controller[] {
    const { time, history, parts: around } = this;
    const callers = this.chance.fork();
    const call = (one: Parameters<Replica['call']>[0]): ReturnType<Replica['call']> => callers.pick(gateways).call(one);
    const outside = {
      history,
      chance: this.chance.fork(),
      wait: (ms: number) => time.waitOutside(ms),
      diary: around.diary,
      isRough: () => this.isRough,
      call,
    };
    const kind = { isCrowd: isOf(WORLD_KINDS.crowd, this.seed), hasData: this.parts.generations !== undefined };
    return plansOf(this.chance.fork(), kind).map((plan) => new Controller(plan, outside));
  }

  private async inRoughWeather(replicas: readonly Replica[], controllers: readonly Controller[]): Promise<void> {
    const { scheduler, broker, time, parts: around } = this;
    const incidents = new Incidents({
      broker,
      replicas,
      chance: this.chance.fork(),
      wait: (ms) => time.waitOutside(ms),
      diary: around.diary,
    });
    makeUnreliable(broker, this.chance.fork(), () => scheduler.weather);
    scheduler.weather = isOf(WORLD_KINDS.stalls, this.seed) ? stallingWeather(this.chance) : roughWeather(this.chance);
    scheduler.incident = () => incidents.happen();
    await this.untilAll(
      controllers.flatMap((controller) => [controller.live(), this.operators.attend(controller.plan)]),
      ROUGH_FOR_MS,
    );
    around.diary('the weather turns calm');
    scheduler.weather = CALM;
    incidents.end();
  }

  private async untilRest(): Promise<FinalState> {
    let last = '';
    let changedAtMs = this.time.ms;
    for (;;) {
      await this.scheduler.run(() => false, this.time.ms + LOOK_EVERY_MS);
      const state = await finalState(this.storage);
      if (isQuiet(state) && this.broker.isRead) return state;
      const seen = progressOf(state);
      if (seen !== last) changedAtMs = this.time.ms;
      last = seen;
      if (this.time.ms - changedAtMs >= STUCK_AFTER_MS) return state;
    }
  }

  private async untilAll(work: readonly Promise<unknown>[], withinMs: number): Promise<void> {
    let left = work.length;
    for (const one of work) void one.finally(() => (left -= 1));
    await this.scheduler.run(() => left === 0, this.time.ms + withinMs);
  }
}
