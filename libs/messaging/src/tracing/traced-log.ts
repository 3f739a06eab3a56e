import { context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import type { ConsumeOptions, EventLog, Publisher } from '../port';
import type { LogRecord } from '../records';
import { withContext, writersOf } from './record-context';

const SYSTEMS = { kafka: 'kafka', embedded: 'opendsr_embedded' } as const;

interface Traced {
  readonly tracer: Tracer;
  readonly system: string;
}

const failed = (span: Span, error: unknown): void => {
  span
    .setAttribute('error.type', error instanceof Error ? error.name : 'Error')
    .setStatus({ code: SpanStatusCode.ERROR });
};

const attributesOf = (system: string, topic: string, count: number) => ({
  'messaging.system': system,
  'messaging.destination.name': topic,
  'messaging.batch.message_count': count,
});

function tracedPublisher({ tracer, system }: Traced, inner: Publisher): Publisher {
  return {
    get available() {
      return inner.available;
    },
    publish: (topic, records, options) => {
      const attributes = { ...attributesOf(system, topic, records.length), 'messaging.operation.type': 'send' };
      return tracer.startActiveSpan(`send ${topic}`, { kind: SpanKind.PRODUCER, attributes }, async (span) => {
        try {
          await inner.publish(topic, withContext(records, context.active()), options);
        } catch (error) {
          failed(span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** A batch has its own trace, which links to those of its records. */
function tracedHandle({ tracer, system }: Traced, options: ConsumeOptions): ConsumeOptions['handle'] {
  return (records) => {
    const topic = (records[0] as LogRecord).topic;
    const attributes = {
      ...attributesOf(system, topic, records.length),
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': options.group,
    };
    const links = writersOf(records).map((writer) => ({ context: writer }));
    return tracer.startActiveSpan(
      `process batch ${topic}`,
      { kind: SpanKind.CONSUMER, root: true, attributes, links },
      async (span) => {
        try {
          return await options.handle(records);
        } catch (error) {
          failed(span, error);
          throw error;
        } finally {
          span.end();
        }
      },
    );
  };
}

export function tracedLog(log: EventLog): EventLog {
  const traced: Traced = { tracer: trace.getTracer('opendsr'), system: SYSTEMS[log.kind] };
  const publisher = tracedPublisher(traced, log.publisher);
  const consume: EventLog['consume'] = (options) => log.consume({ ...options, handle: tracedHandle(traced, options) });
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'publisher') return publisher;
      if (name === 'consume') return consume;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
