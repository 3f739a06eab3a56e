import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { LogRecord } from '../records';

function headersOf(headers: IHeaders | undefined): Record<string, string> {
  const last = (value: IHeaders[string]) => (Array.isArray(value) ? value.at(-1) : value);
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name, (last(value) ?? '').toString()]),
  );
}

/** `topic` is the name without the prefix. */
export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    value: message.value ?? Buffer.alloc(0),
    headers: headersOf(message.headers),
    timestampMs: Number(message.timestamp),
  };
}
