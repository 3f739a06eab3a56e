import { type Context, propagation, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import type { LogRecord, OutgoingRecord } from '../records';

/** The header of W3C Trace Context. `tracestate` is not read, because outsiders write records too. */
const HEADER = 'traceparent';

/** The context of the record's writer; the root context where it has none. */
export function contextOf({ headers }: Pick<LogRecord, 'headers'>): Context {
  const traceparent = headers[HEADER];
  return traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { [HEADER]: traceparent });
}

export function writersOf(records: readonly LogRecord[]): readonly SpanContext[] {
  const writers = records.flatMap((record) => trace.getSpanContext(contextOf(record)) ?? []);
  return [...new Map(writers.map((writer) => [`${writer.traceId}-${writer.spanId}`, writer])).values()];
}

/** Replaces the trace context of the records, which parked records may have. */
export function withContext(records: readonly OutgoingRecord[], context: Context): OutgoingRecord[] {
  const injected: Record<string, string> = {};
  propagation.inject(context, injected);
  return records.map((record) => ({ ...record, headers: { ...record.headers, ...injected } }));
}
