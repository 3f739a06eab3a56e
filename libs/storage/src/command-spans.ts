import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type mongoose from 'mongoose';

type Client = ReturnType<mongoose.Connection['getClient']>;
type Started = mongoose.mongo.CommandStartedEvent;

/** Only these fields of a command are read: filters, documents and updates hold personal data. */
function describe({ commandName, databaseName, command }: Started) {
  const { [commandName]: first, collection: named } = command as Record<string, unknown>;
  const collection = typeof named === 'string' ? named : typeof first === 'string' ? first : undefined;
  const attributes = {
    'db.system.name': 'mongodb',
    'db.namespace': databaseName,
    'db.operation.name': commandName,
    ...(collection !== undefined && { 'db.collection.name': collection }),
  };
  return { name: collection === undefined ? commandName : `${commandName} ${collection}`, attributes };
}

/** A span for each command sent in a trace; polls have none. The client must monitor its commands. */
export function traceCommands(client: Pick<Client, 'on'>): void {
  const tracer = trace.getTracer('opendsr');
  const running = new Map<number, Span>();
  const end = (requestId: number, failure?: { readonly code?: unknown; readonly name?: string }): void => {
    const span = running.get(requestId);
    if (!span) return;
    running.delete(requestId);
    if (failure) {
      if (typeof failure.code === 'number') span.setAttribute('db.response.status_code', String(failure.code));
      span.setAttribute('error.type', failure.name ?? 'Error').setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
  client.on('commandStarted', (event) => {
    if (!trace.getActiveSpan()) return;
    const { name, attributes } = describe(event);
    running.set(event.requestId, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active()));
  });
  client.on('commandSucceeded', ({ requestId }) => {
    end(requestId);
  });
  client.on('commandFailed', ({ requestId, failure }) => {
    end(requestId, failure);
  });
}
