import { context, SpanKind } from '@opentelemetry/api';
import type { ConsumeOptions, EventLog, Publisher } from '../port';
import type { LogRecord } from '../records';
import { inSpan } from './in-span';
import { withContext, writersOf } from './record-context';

const SYSTEMS = { kafka: 'kafka', embedded: 'opendsr_embedded' } as const;

const attributesOf = (system: string, topic: string, count: number) => ({
  'messaging.system': system,
  'messaging.destination.name': topic,
  'messaging.batch.message_count': count,
});

function tracedPublisher(system: string, inner: Publisher): Publisher {
  return {
    get available() {
      return inner.available;
    },
    publish: (topic, records, options) => {
      const attributes = { ...attributesOf(system, topic, records.length), 'messaging.operation.type': 'send' };
      return inSpan(`send ${topic}`, { kind: SpanKind.PRODUCER, attributes }, () =>
        inner.publish(topic, withContext(records, context.active()), options),
      );
    },
  };
}

/** A batch has its own trace, which links to those of its records. */
function tracedHandle(system: string, options: ConsumeOptions): ConsumeOptions['handle'] {
  return (records) => {
    const topic = (records[0] as LogRecord).topic;
    const attributes = {
      ...attributesOf(system, topic, records.length),
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': options.group,
    };
    const links = writersOf(records).map((writer) => ({ context: writer }));
    return inSpan(`process batch ${topic}`, { kind: SpanKind.CONSUMER, root: true, attributes, links }, () =>
      options.handle(records),
    );
  };
}

export function tracedLog(log: EventLog): EventLog {
  const system = SYSTEMS[log.kind];
  const publisher = tracedPublisher(system, log.publisher);
  const consume: EventLog['consume'] = (options) => log.consume({ ...options, handle: tracedHandle(system, options) });
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'publisher') return publisher;
      if (name === 'consume') return consume;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
