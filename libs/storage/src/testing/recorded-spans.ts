import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** What a spec sees of the traces that are made while it runs. */
export interface RecordedSpans {
  /** Those that have ended, in that order. */
  readonly ended: () => readonly ReadableSpan[];
  readonly stop: () => Promise<void>;
}

/** Takes the spans of this process from now on; before that which is traced is opened. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    ended: () => exporter.getFinishedSpans(),
    stop: async () => {
      for (const api of [trace, context, propagation]) api.disable();
      await provider.shutdown();
    },
  };
}
