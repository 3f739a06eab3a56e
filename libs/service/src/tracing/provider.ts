import { withDeadline } from '@opendsr-service/contracts';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger/logger';
import type { TraceValues, Tracing } from './process-traces';
import { LoggingExporter } from './logging-exporter';

/** Limits of a span; a batch may link to hundreds of records. */
const SPAN_LIMITS = {
  attributeCountLimit: 32,
  attributeValueLengthLimit: 200,
  eventCountLimit: 8,
  linkCountLimit: 128,
};

interface ProviderParts {
  readonly exporter: 'otlp' | 'console';
  readonly app: string;
  readonly values: TraceValues;
  readonly log: Logger;
}

const samplerOf = ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TraceValues): Sampler => {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

const resourceOf = (app: string, values: TraceValues) =>
  defaultResource().merge(
    resourceFromAttributes({
      'service.name': `opendsr-${app}`,
      ...values.OTEL_RESOURCE_ATTRIBUTES,
      ...(values.OTEL_SERVICE_NAME !== undefined && { 'service.name': values.OTEL_SERVICE_NAME }),
    }),
  );

/** Sets up OpenTelemetry for this process. Only this file imports the SDK; it is loaded only where traces are on. */
export function openProvider({ exporter, app, values, log }: ProviderParts): Tracing {
  const loggingExporter = new LoggingExporter(
    exporter === 'otlp' ? new OTLPTraceExporter() : new ConsoleSpanExporter(),
    log,
  );
  setGlobalErrorHandler((error) => {
    loggingExporter.exportFailed(error);
  });
  const provider = new TracerProvider({
    resource: resourceOf(app, values),
    sampler: samplerOf(values),
    spanLimits: SPAN_LIMITS,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingExporter,
        scheduledDelayMillis: values.OTEL_BSP_SCHEDULE_DELAY,
        exportTimeoutMillis: values.OTEL_BSP_EXPORT_TIMEOUT,
        maxQueueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
        maxExportBatchSize: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (values.OTEL_PROPAGATORS.includes('tracecontext'))
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    stop: async (withinMs) => {
      const shutdown = provider.shutdown().catch((error: unknown) => loggingExporter.exportFailed(error));
      await withDeadline(shutdown, withinMs, () => undefined);
    },
  };
}
