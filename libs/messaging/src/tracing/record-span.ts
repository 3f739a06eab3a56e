import { context, SpanKind, trace } from '@opentelemetry/api';
import type { LogRecord } from '../records';
import { inSpan } from './in-span';
import { contextOf } from './record-context';

/**
 * Handles one record of a batch in the trace of its writer, so that one trace shows the whole request. No effect where
 * the batch is not traced.
 */
export async function inRecordSpan<T>(
  record: Pick<LogRecord, 'topic' | 'headers'>,
  handle: () => Promise<T>,
): Promise<T> {
  const batch = trace.getActiveSpan()?.spanContext();
  if (!batch) return handle();
  const written = contextOf(record);
  const parent = trace.getSpanContext(written) ? written : context.active();
  const attributes = { 'messaging.destination.name': record.topic, 'messaging.operation.type': 'process' };
  const options = { kind: SpanKind.CONSUMER, attributes, links: [{ context: batch }] };
  return inSpan(`process ${record.topic}`, options, handle, parent);
}
