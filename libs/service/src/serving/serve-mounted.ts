import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serveDocs, type ApiDocument, type EdgeAdapter } from '@opendsr-service/edge';
import type { ReadinessCheck } from '../http/health';
import type { Host } from '../process/main';
import { serve, type RunningProcess, type ServeOptions, type ServiceParts } from './serve';
import type { Step } from '../process/steps';
import type { WaitFor } from '../process/wait-for';
import { httpLimitsOf, type httpSettings, type processSettings, type Values } from '@opendsr-service/config';

export interface HostedService {
  readonly module: DynamicModule;
  readonly service: (app: INestApplication, host: Host) => ServiceParts;
  /** Its API documents. Those of all services of the process share one page. */
  readonly documents?: readonly ApiDocument[];
}

export interface MountOptions extends Pick<ServeOptions, 'errorStyle' | 'furtherListeners' | 'own'> {
  readonly services: readonly HostedService[];
  /** What the process serves besides its services. */
  readonly modules?: readonly DynamicModule[];
  readonly publicPort?: number;
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
  { services, modules = [], publicPort, prepare, processParts = [], checks = [], closing, ...shared }: MountOptions,
): Promise<RunningProcess> {
  return serve({
    ...shared,
    module: { module: Process, imports: [...services.map(({ module }) => module), ...modules] },
    host: values.HOST,
    ...(publicPort !== undefined && { port: publicPort }),
    adminPort: values.ADMIN_PORT,
    limits: httpLimitsOf(values),
    log: host.log,
    service: host.name,
    metricsIntervalMs: values.METRICS_INTERVAL_MS,
    stopDelayMs: values.STOP_DELAY_MS,
    stopTimeoutMs: values.STOP_TIMEOUT_MS,
    waitFor: host.waitFor,
    trustedProxies: values.TRUSTED_PROXIES,
    parts: (app) => {
      const ofServices = services.map(({ service }) => service(app, host));
      serveDocs(
        app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter,
        services.flatMap(({ documents = [] }) => documents),
      );
      return [{ prepare }, ...processParts, ...ofServices, { checks, closing }];
    },
  });
}
