import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAdapter } from '@opendsr-service/edge';
import { httpLimitsOf } from '@opendsr-service/config';
import { createLogger, type Host } from '@opendsr-service/service';
import type { Storage } from '@opendsr-service/storage';
import { asOwner } from '../engine/owner';
import type { Mortal } from '../engine/scheduler';
import { gatedStorage } from '../stores/gated-storage';
import { SimulatedLog } from '../stores/simulated-log';
import { KINDS, type Kind } from './kinds';
import { openPlatform, type Ground } from './platform';
import { settings } from './settings';
import { keysOf, type WorldParts } from './world-parts';

interface Line {
  readonly msg: string;
  readonly reason?: string;
  readonly error?: { readonly name?: string };
}

/** A line of the log without its time, which is the real one. */
function wordsOf(line: string): string {
  const { msg, reason, error } = JSON.parse(line) as Line;
  return [msg, reason, error?.name].filter(Boolean).join(', ');
}

@Module({})
class Process {}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** One life of a process, from its boot to its crash: the real app on stores that it shares with others. */
export class Incarnation implements Mortal {
  isAlive = true;
  /** Whether it serves. */
  isUp = false;
  private app: NestFastifyApplication | undefined;
  private storage: Storage | undefined;
  private events: SimulatedLog | undefined;
  private readonly lastWords: (() => void)[] = [];

  constructor(
    readonly name: string,
    private readonly kind: Kind,
    private readonly world: WorldParts,
  ) {}

  /** Boots as `serve` does, but for the listeners. A boot that fails is a crash. */
  boot(): void {
    void asOwner(this, () => this.begin()).then(
      () => (this.isUp = true),
      (error: unknown) => {
        this.world.diary(`${this.name} cannot boot: ${String(error)}`);
        this.crash();
      },
    );
  }

  /** Ends at once: nothing that it had begun goes on. */
  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.events?.leave();
    void this.storage?.close();
    for (const listener of this.lastWords) listener();
  }

  /** Called when it dies. */
  onDeath(listener: () => void): void {
    this.lastWords.push(listener);
  }

  /** Undefined: it died before it answered, or does not serve. */
  call(call: HttpCall): Promise<HttpAnswer | undefined> {
    const { app } = this;
    if (!app || !this.isUp || !this.isAlive) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.onDeath(() => resolve(undefined));
      asOwner(this, () => app.inject(call)).then(
        ({ statusCode, body }) => resolve({ status: statusCode, body }),
        reject,
      );
    });
  }

  private async begin(): Promise<void> {
    const mounted = await KINDS[this.kind](await openPlatform(await this.ground()));
    const app = await NestFactory.create<NestFastifyApplication>(
      { module: Process, imports: mounted.map(({ module }) => module) },
      createAdapter(httpLimitsOf(settings)),
      { logger: false, abortOnError: false },
    );
    const parts = mounted.map(({ service }) => service(app, this.host()));
    for (const strategy of parts.flatMap(({ consumers = [] }) => consumers))
      app.connectMicroservice({ strategy }, { inheritAppConfig: false });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    for (const step of parts.flatMap(({ prepare = [] }) => prepare)) await step.run();
    await app.startAllMicroservices();
    for (const poller of parts.flatMap(({ pollers = [] }) => pollers)) poller.start();
    this.app = app;
  }

  private async ground(): Promise<Ground> {
    const { dataDir, scheduler, broker, leases, stalls, chance, time, senderOf } = this.world;
    this.storage = await gatedStorage(this, {
      dataDir,
      gate: scheduler,
      leases,
      stalls,
      chance,
      scattered: (query) => this.world.scattered.add(query),
    });
    this.events = new SimulatedLog({ broker, gate: scheduler, owner: this, chance });
    return {
      storage: this.storage,
      events: this.events,
      keys: keysOf(this.world, this),
      clock: time,
      log: this.host().log,
      sender: senderOf(this),
    };
  }

  private host(): Host {
    return {
      log: createLogger(this.name, 'warn', {
        write: (line: string) => this.world.diary(`${this.name} says: ${wordsOf(line)}`),
      }),
      fatal: (error) => {
        this.world.diary(`${this.name} cannot go on: ${String(error)}`);
        this.crash();
      },
    };
  }
}
