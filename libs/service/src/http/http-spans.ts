import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Context,
  type Span,
  type SpanOptions,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { EdgeAdapter } from '@opendsr-service/edge';
import { isAdminOwnRoute, isAdminRoute } from './admin-routes';

/** Only `traceparent` is read: `tracestate` and baggage are the caller's text and would reach topics. */
const carrierOf = (traceparent: string | undefined) => (traceparent === undefined ? {} : { traceparent });

/** Calls on the admin listener continue the caller's trace. On other listeners a new trace links to it. */
function spanParentOf(
  route: string,
  traceparent: string | undefined,
): { readonly parent: Context; readonly options: Pick<SpanOptions, 'links'> } {
  const caller = propagation.extract(ROOT_CONTEXT, carrierOf(traceparent));
  if (isAdminRoute(route)) return { parent: caller, options: {} };
  const linked = trace.getSpanContext(caller);
  return {
    parent: ROOT_CONTEXT,
    options: linked && isSpanContextValid(linked) ? { links: [{ context: linked }] } : {},
  };
}

/** One span for each request, without path, query, headers or body. Requests refused by their head have none. */
export function traceRequests(adapter: EdgeAdapter): void {
  const contexts = new WeakMap<object, Context>();
  const instance = adapter.getInstance();
  const tracer = trace.getTracer('opendsr');
  instance.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? '_other';
    if (isAdminOwnRoute(route)) {
      done();
      return;
    }
    const given = request.headers.traceparent;
    const { parent, options } = spanParentOf(route, typeof given === 'string' ? given : undefined);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { ...options, kind: SpanKind.SERVER, attributes },
      parent,
    );
    // Fastify does not report aborted responses, so the span ends with the socket.
    reply.raw.once('close', () => {
      endRequest(span, reply.statusCode, reply.raw.writableFinished);
    });
    const own = trace.setSpan(parent, span);
    contexts.set(request.raw, own);
    context.with(own, done);
  });
  // Body parsers run in the context of the connection.
  instance.addHook('preValidation', (request, _reply, done) => {
    const own = contexts.get(request.raw);
    if (own) context.with(own, done);
    else done();
  });
}

function endRequest(span: Span, status: number, isWhole: boolean): void {
  if (isWhole) span.setAttribute('http.response.status_code', status);
  if (!isWhole || status >= 500)
    span.setAttribute('error.type', isWhole ? String(status) : 'aborted').setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
