import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { Logger } from '../logger/logger';
import { type TraceValues, type Tracing, untraced } from './process-traces';

export function exporterOf(values: TraceValues): 'otlp' | 'console' | 'none' {
  if (values.OTEL_SDK_DISABLED) return 'none';
  if (values.OTEL_TRACES_EXPORTER !== undefined) return values.OTEL_TRACES_EXPORTER;
  return values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
    ? 'otlp'
    : 'none';
}

/** Call it before anything is opened. `app` is the name of the process. */
export async function startTracing(values: TraceValues, app: string, log: Logger): Promise<Tracing> {
  const exporter = exporterOf(values);
  if (exporter === 'none') return untraced;
  const { openProvider } = await import('./provider');
  return openProvider({ exporter, app, values, log });
}

/** Whether this process traces. Code that makes many spans reads it once, when it is created. */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('opendsr') !== undefined;
}
