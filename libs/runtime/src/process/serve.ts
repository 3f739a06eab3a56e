import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AdapterOptions, createAdapter, type HttpLimits } from '@opendsr-service/edge';
import type { Log } from '../log/log';
import { nestLog } from '../log/nest-log';
import type { Poller } from '../poller';
import { type ReadinessCheck, serveHealth } from './health';
import { drain, open } from './listener';
import { type Metric, serveMetrics } from './metrics';
import { runAll, type Step } from './steps';
import { type TwoListeners, twoListeners } from './two-listeners';

/** A consumer group as Nest takes it, such as messaging's LogStrategy. */
export interface ConsumerStrategy {
  listen(ready: (error?: unknown) => void): unknown;
  close(): unknown;
}

/** What a service runs beside its HTTP routes; lists of several services can be joined. */
export interface ServiceParts {
  /** Before anything consumes or listens: indexes, the check of the topics. A failure ends the boot. */
  readonly prepare?: readonly Step[];
  readonly consumers?: readonly ConsumerStrategy[];
  readonly pollers?: readonly Poller[];
  readonly checks?: readonly ReadinessCheck[];
  readonly metrics?: readonly Metric[];
  /** After everything else has stopped, in this order: flush the publisher, then close the stores. */
  readonly closing?: readonly Step[];
}

export interface ServeOptions extends Pick<AdapterOptions, 'errorStyle'> {
  readonly module: Type | DynamicModule;
  readonly host: string;
  /** Public HTTP; absent where an app has none. */
  readonly port?: number;
  readonly adminPort: number;
  readonly limits: HttpLimits;
  readonly log: Log;
  /** How long a stopping process goes on taking requests. */
  readonly stopDelayMs?: number;
  /** Called once, when everything is built and nothing runs yet. */
  readonly parts?: (app: INestApplication) => ServiceParts;
}

/** A process that serves. */
export interface Running {
  /** The ports that were bound. */
  readonly port: number | undefined;
  readonly adminPort: number;
  /** Stops everything in order, once; false when a step failed. */
  readonly stop: () => Promise<boolean>;
}

const noParts: Required<ServiceParts> = { prepare: [], consumers: [], pollers: [], checks: [], metrics: [], closing: [] };

/** Boots a service: prepare, then consumers and workers, then both listeners. What was begun is stopped again when the boot fails. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { log } = options;
  const adapter = createAdapter(options.limits, {
    errorStyle: options.errorStyle,
    report: (error, facts) => {
      log.error({ ...facts, error }, 'A request failed');
    },
  });
  const listeners = twoListeners(adapter);
  const app = await NestFactory.create<NestFastifyApplication>(options.module, adapter, { logger: nestLog(log), abortOnError: false });
  const parts = { ...noParts, ...options.parts?.(app) };
  const state = { serving: false };
  serveHealth(adapter, parts.checks, () => state.serving);
  serveMetrics(adapter, parts.metrics);
  let stopping: Promise<boolean> | undefined;
  const stop = () => (stopping ??= runAll(stopSteps(app, listeners, parts, () => leave(state, listeners, options.stopDelayMs)), log));
  try {
    await begin(app, parts);
    const adminPort = await open(listeners.adminServer, options.host, options.adminPort);
    const port = options.port === undefined ? undefined : await open(listeners.publicServer, options.host, options.port);
    state.serving = true;
    log.info({ host: options.host, port, adminPort }, 'Listening');
    return { port, adminPort, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything up to the listeners, in the order that lets nothing run on what is not there yet. */
async function begin(app: NestFastifyApplication, { consumers, prepare, pollers }: Required<ServiceParts>): Promise<void> {
  for (const strategy of consumers) app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  for (const step of prepare) await step.run();
  await app.startAllMicroservices();
  for (const poller of pollers) poller.start();
}

/** Tells load balancers and clients to go elsewhere, and gives them the time to. */
async function leave(state: { serving: boolean }, listeners: TwoListeners, delayMs = 0): Promise<void> {
  const wasServing = state.serving;
  state.serving = false;
  listeners.dismissConnections();
  if (wasServing) await sleep(delayMs);
}

/** The way down. Nest closes the consumers; from then on the admin listener has nothing left to say. */
const stopSteps = (app: NestFastifyApplication, listeners: TwoListeners, parts: Required<ServiceParts>, goodbye: () => Promise<void>): Step[] => [
  { name: 'leave', run: goodbye },
  { name: 'public listener', run: () => drain(listeners.publicServer) },
  { name: 'consumers', run: () => app.close() },
  { name: 'admin listener', run: () => drain(listeners.adminServer) },
  { name: 'workers', run: () => Promise.all(parts.pollers.map((poller) => poller.stop())) },
  ...parts.closing,
];
