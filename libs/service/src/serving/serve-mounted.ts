import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serveDocs, type AdapterOptions, type ApiDocument, type EdgeAdapter } from '@opendsr-service/edge';
import type { ReadinessCheck } from '../http/health';
import type { Host } from '../process/main';
import type { FurtherListener } from '../http/listeners';
import type { OwnProcess } from './own-process';
import { serve, type RunningProcess, type ServiceParts } from './serve';
import type { Step } from '../process/steps';
import type { WaitFor } from '../process/wait-for';
import { httpLimitsOf, type httpSettings, type processSettings, type Values } from '@opendsr-service/config';

export interface HostedService {
  readonly module: DynamicModule;
  readonly service: (app: INestApplication, host: Host) => ServiceParts;
  /** Its API documents. Those of all services of the process share one page. */
  readonly documents?: readonly ApiDocument[];
}

export interface MountOptions extends Pick<AdapterOptions, 'errorStyle'> {
  readonly services: readonly HostedService[];
  /** What the process serves besides its services. */
  readonly modules?: readonly DynamicModule[];
  /** Learns what operators may know of this process. */
  readonly own?: OwnProcess;
  readonly publicPort?: number;
  /** Further public listeners, each with its own routes. */
  readonly furtherListeners?: readonly FurtherListener[];
  readonly prepare: readonly Step[];
  readonly processParts?: readonly ServiceParts[];
  readonly checks?: readonly ReadinessCheck[];
  readonly closing: readonly Step[];
}

@Module({})
class Process {}

export function serveMounted(
  values: Values<typeof httpSettings> & Values<typeof processSettings>,
  host: Host & { readonly waitFor?: WaitFor },
  mounting: MountOptions,
): Promise<RunningProcess> {
  const {
    services,
    modules = [],
    own,
    publicPort,
    furtherListeners = [],
    prepare: firstSteps,
    processParts = [],
    checks = [],
    closing,
    errorStyle,
  } = mounting;
  return serve({
    module: { module: Process, imports: [...services.map(({ module }) => module), ...modules] },
    ...(own && { own }),
    host: values.HOST,
    ...(publicPort !== undefined && { port: publicPort }),
    adminPort: values.ADMIN_PORT,
    furtherListeners,
    limits: httpLimitsOf(values),
    log: host.log,
    service: host.name,
    metricsIntervalMs: values.METRICS_INTERVAL_MS,
    stopDelayMs: values.STOP_DELAY_MS,
    stopTimeoutMs: values.STOP_TIMEOUT_MS,
    waitFor: host.waitFor,
    errorStyle,
    trustedProxies: values.TRUSTED_PROXIES,
    parts: (app) => {
      const parts = [...processParts, ...services.map(({ service }) => service(app, host))];
      serveDocs(
        app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
        services.flatMap(({ documents = [] }) => documents),
      );
      return {
        prepare: [...firstSteps, ...parts.flatMap(({ prepare = [] }) => prepare)],
        consumers: parts.flatMap(({ consumers = [] }) => consumers),
        pollers: parts.flatMap(({ pollers = [] }) => pollers),
        checks: [...parts.flatMap(({ checks: ofPart = [] }) => ofPart), ...checks],
        metrics: parts.flatMap(({ metrics = [] }) => metrics),
        leaving: parts.flatMap(({ leaving = [] }) => leaving),
        closing: [...parts.flatMap(({ closing: ofPart = [] }) => ofPart), ...closing],
      };
    },
  });
}
