import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@opendsr-service/contracts';
import { type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type AdapterOptions, CLIENT_CLOSED, createAdapter, type HttpLimits } from '@opendsr-service/edge';
import { ErrorSummary, isUnacknowledged } from '@opendsr-service/messaging';
import { Registry } from 'prom-client';
import type { Logger } from '../logger/logger';
import { nestLogger } from '../logger/nest-logger';
import type { Poller } from '../workers/poller';
import { traceRequests } from '../http/http-spans';
import { isTracing } from '../tracing/tracing';
import { consumerChecks } from '../http/checks';
import { type ReadinessCheck, readinessOf, serveHealth } from '../http/health';
import { isUnavailable } from '../workers/is-unavailable';
import { type FurtherListener, type Listeners, listenersOf } from '../http/listeners';
import { httpMetrics } from '../http/http-metrics';
import { type Metric, serveMetrics } from '../metrics/metrics';
import {
  buildMetric,
  callMetrics,
  connectionMetrics,
  consumerMetrics,
  type MeasuredConsumer,
  workerMetric,
} from '../metrics/process-metrics';
import { runAllSteps, type Step } from '../process/steps';
import { tryOnce, type WaitFor } from '../process/wait-for';
import type { OwnProcess } from './own-process';

interface ConsumerStrategy extends MeasuredConsumer {
  /** Called after each batch of which a record was not skipped. */
  onHandled?: () => void;
  listen(ready: (error?: unknown) => void): unknown;
  close(): unknown;
}

export interface ServiceParts {
  /** Runs before consumers and listeners start. Repeated while a store is away; any other failure ends the boot. */
  readonly prepare?: readonly Step[];
  readonly consumers?: readonly ConsumerStrategy[];
  readonly pollers?: readonly Poller[];
  readonly checks?: readonly ReadinessCheck[];
  readonly metrics?: readonly Metric[];
  /** Runs before the listeners wait for their last answers: ends those that have no end. */
  readonly leaving?: readonly Step[];
  /** Runs last, in this order: flush the publisher, then close the stores. */
  readonly closing?: readonly Step[];
}

export interface ServeOptions extends Pick<AdapterOptions, 'errorStyle' | 'trustedProxies'> {
  readonly module: Type | DynamicModule;
  readonly host: string;
  readonly port?: number;
  readonly adminPort: number;
  /** Further public listeners, each with its own routes; admin routes are never served there. */
  readonly furtherListeners?: readonly FurtherListener[];
  readonly limits: HttpLimits;
  readonly log: Logger;
  readonly service?: string;
  /** Learns what operators may know of this process. */
  readonly own?: OwnProcess;
  /** How often the lag of consumers is read. */
  readonly metricsIntervalMs?: number;
  /** How long a stopping process still accepts requests. */
  readonly stopDelayMs?: number;
  /** How long the stop may take after that. */
  readonly stopTimeoutMs?: number;
  /** How `prepare` waits; by default it does not. */
  readonly waitFor?: WaitFor;
  readonly parts?: (app: INestApplication) => readonly ServiceParts[];
}

export interface RunningProcess {
  readonly port: number | undefined;
  readonly adminPort: number;
  readonly furtherPorts: readonly number[];
  /** Stops everything in order, once; false when a step failed. */
  readonly stop: () => Promise<boolean>;
}

/** Limit for the stop after a failed start: it may hang on the same dependency. */
const STOP_OF_FAILED_START_MS = 5_000;

const DEFAULT_METRICS_INTERVAL_MS = 15_000;
const DEFAULT_STOP_TIMEOUT_MS = 25_000;
/** The part of a stop in which answers may end. The rest is for consumers, workers, publisher and stores. */
const ANSWERS_PART = 0.6;
/** For the answers of the admin listener, where those of the others took all of that. */
const LEAST_ANSWERS_MS = 1_000;

/** All parts as one: each list follows that of the parts before. */
const joinedParts = (parts: readonly ServiceParts[]): Required<ServiceParts> => ({
  prepare: parts.flatMap(({ prepare = [] }) => prepare),
  consumers: parts.flatMap(({ consumers = [] }) => consumers),
  pollers: parts.flatMap(({ pollers = [] }) => pollers),
  checks: parts.flatMap(({ checks = [] }) => checks),
  metrics: parts.flatMap(({ metrics = [] }) => metrics),
  leaving: parts.flatMap(({ leaving = [] }) => leaving),
  closing: parts.flatMap(({ closing = [] }) => closing),
});

/** Boots a service: prepare, consumers, workers, listeners. A failed boot stops what it started, for 5 s at most. */
export async function serve(options: ServeOptions): Promise<RunningProcess> {
  const { log } = options;
  const registry = new Registry();
  const measureAnswer = httpMetrics(registry);
  const pollers: Poller[] = [];
  const wakePollers = (): void => {
    for (const poller of pollers) poller.wake();
  };
  const adapter = createAdapter(options.limits, {
    answered: (answered) => {
      measureAnswer(answered);
      if (answered.method !== 'GET') wakePollers();
    },
    errorStyle: options.errorStyle,
    trustedProxies: options.trustedProxies,
    // What the log refuses for good is no fault of the caller: an operator ends it.
    isAway: (error) => isUnavailable(error) || isUnacknowledged(error),
    report: (error, facts) => {
      if (facts.status === CLIENT_CLOSED)
        log.info({ ...facts, error: new ErrorSummary(error) }, 'A caller went away before the answer was whole');
      // Every call fails during an outage: stacks would add nothing.
      else if (isUnavailable(error))
        log.warn({ ...facts, error: new ErrorSummary(error) }, 'What a request needs is away');
      else log.error({ ...facts, error }, 'A request failed');
    },
  });
  if (isTracing()) traceRequests(adapter);
  const listeners = listenersOf(adapter, options.furtherListeners ?? []);
  const app = await NestFactory.create<NestFastifyApplication>(options.module, adapter, {
    logger: nestLogger(log),
    abortOnError: false,
  });
  const parts = withProcessMetrics(joinedParts(options.parts?.(app) ?? []), options);
  pollers.push(...parts.pollers);
  for (const consumer of parts.consumers) consumer.onHandled = wakePollers;
  const state = { serving: false };
  const checks = [...consumerChecks(parts.consumers), ...parts.checks];
  const readiness = () => readinessOf(checks, state.serving);
  const metrics = [
    ...parts.metrics,
    ...connectionMetrics(adapter.connectionLimiter),
    ...callMetrics(adapter.callLimiter),
  ];
  serveHealth(adapter, readiness);
  serveMetrics(adapter, metrics, registry);
  options.own?.attach(readiness, metrics);
  let stopping: Promise<boolean> | undefined;
  const stop = () =>
    (stopping ??= runAllSteps(
      stopSteps(app, drainsOf(listeners, options), parts, () =>
        stopTakingRequests(state, listeners, options.stopDelayMs),
      ),
      log,
    ));
  try {
    await startAll(app, parts, options.waitFor ?? tryOnce);
    const bound = await listeners.open(options);
    state.serving = true;
    log.info({ host: options.host, ...bound }, 'Listening');
    return { ...bound, stop };
  } catch (error) {
    await withDeadline(stop(), STOP_OF_FAILED_START_MS, () => undefined);
    throw error;
  }
}

function withProcessMetrics(
  parts: Required<ServiceParts>,
  { service = 'opendsr', metricsIntervalMs = DEFAULT_METRICS_INTERVAL_MS, log }: ServeOptions,
): Required<ServiceParts> {
  const consumed = consumerMetrics(parts.consumers, metricsIntervalMs, log);
  const pollers = [...parts.pollers, ...consumed.pollers];
  return {
    ...parts,
    pollers,
    metrics: [...parts.metrics, ...consumed.metrics, workerMetric(pollers), buildMetric(service)],
  };
}

/** Starts everything except the listeners, dependencies first. */
async function startAll(
  app: NestFastifyApplication,
  { consumers, prepare, pollers }: Required<ServiceParts>,
  waitFor: WaitFor,
): Promise<void> {
  for (const strategy of consumers) app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  for (const { name, run } of prepare) await waitFor(name, async () => run());
  await app.startAllMicroservices();
  for (const poller of pollers) poller.start();
}

/** Gives load balancers and callers time to use another process. */
async function stopTakingRequests(state: { serving: boolean }, listeners: Listeners, delayMs = 0): Promise<void> {
  const wasServing = state.serving;
  state.serving = false;
  listeners.dismissConnections();
  if (wasServing) await sleep(delayMs);
}

interface Drains {
  readonly public: () => Promise<void>;
  readonly admin: () => Promise<void>;
}

/** Both waits for last answers end at one time. */
function drainsOf(
  listeners: Listeners,
  { log, stopTimeoutMs = DEFAULT_STOP_TIMEOUT_MS }: Pick<ServeOptions, 'log' | 'stopTimeoutMs'>,
): Drains {
  const longestMs = ANSWERS_PART * stopTimeoutMs;
  let endsAtMs: number | undefined;
  const within = async (drain: (longestMs: number) => Promise<number>): Promise<void> => {
    endsAtMs ??= performance.now() + longestMs;
    const count = await drain(Math.max(LEAST_ANSWERS_MS, endsAtMs - performance.now()));
    if (count > 0) log.warn({ count }, 'Connections were closed before their answers were read');
  };
  return { public: () => within(listeners.drainPublic), admin: () => within(listeners.drainAdmin) };
}

/** Nest closes the consumers; the admin listener stops after them. */
const stopSteps = (
  app: NestFastifyApplication,
  drains: Drains,
  parts: Required<ServiceParts>,
  goodbye: () => Promise<void>,
): Step[] => [
  { name: 'leave', run: goodbye },
  ...parts.leaving,
  { name: 'public listeners', run: drains.public },
  { name: 'consumers', run: () => app.close() },
  { name: 'admin listener', run: drains.admin },
  { name: 'workers', run: () => Promise.all(parts.pollers.map((poller) => poller.stop())) },
  ...parts.closing,
];
