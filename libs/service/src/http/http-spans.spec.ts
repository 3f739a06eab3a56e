import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { createAdapter, defaultLimits } from '@opendsr-service/edge';
import { until } from '@opendsr-service/messaging/testing';
import { recordSpans, type RecordedSpans } from '@opendsr-service/storage/testing';
import { traceRequests } from './http-spans';

let spans: RecordedSpans;
let port: number;
let active: string | undefined;
const hanging = Promise.withResolvers<void>();
const adapter = createAdapter(defaultLimits);

beforeAll(async () => {
  spans = recordSpans();
  traceRequests(adapter);
  adapter.registerParserMiddleware();
  const instance = adapter.getInstance();
  instance.get('/livez', () => ({}));
  instance.get('/fails/:id', () => Promise.reject(new Error('planted')));
  instance.get('/internal/things', () => ({}));
  instance.get('/hangs', () => {
    hanging.resolve();
    return new Promise(() => undefined);
  });
  instance.post('/things', () => {
    active = trace.getActiveSpan()?.spanContext().spanId;
    return {};
  });
  await instance.listen({ host: '127.0.0.1', port: 0 });
  port = (instance.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await adapter.close();
  await spans.stop();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
const spanOf = async (name: string) => {
  await until(() => spans.ended().some((span) => span.name === name));
  return spans.ended().findLast((span) => span.name === name);
};

it('is active in the handler, though a body came first', async () => {
  await ask('/things', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
  expect((await spanOf('POST /things'))?.spanContext().spanId).toBe(active);
});

it('is an error where the service failed, and says nothing of why', async () => {
  expect((await ask('/fails/planted')).status).toBe(500);
  expect(await spanOf('GET /fails/:id')).toMatchObject({
    attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    status: { code: 2 },
    events: [],
  });
});

it('is no error of ours where the caller asked for what is not there', async () => {
  await ask('/planted');
  expect(await spanOf('GET _other')).toMatchObject({
    attributes: { 'http.response.status_code': 404 },
    status: { code: 0 },
  });
});

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = (flags: '00' | '01') => ({ traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-${flags}` });

it.each(['00', '01'] as const)(
  'starts a trace of its own on public routes, sampled regardless of the caller (%s), with a link to the caller',
  async (flags) => {
    const before = spans.ended().length;
    await ask('/things', { method: 'POST', headers: traceparent(flags) });
    await until(() => spans.ended().length > before);
    const span = spans.ended().at(-1);
    expect(span).toMatchObject({ name: 'POST /things', parentSpanContext: undefined, links: [{ context: CALLER }] });
    expect(span?.spanContext().traceId).not.toBe(CALLER.traceId);
  },
);

it('continues the trace of a caller of admin routes, with its sampling decision', async () => {
  await ask('/internal/things', { headers: traceparent('00') });
  await ask('/internal/things', { headers: traceparent('01') });
  const span = await spanOf('GET /internal/things');
  expect([span?.parentSpanContext, span?.spanContext().traceId, span?.links]).toEqual([
    expect.objectContaining(CALLER),
    CALLER.traceId,
    [],
  ]);
  expect(spans.ended().filter(({ name }) => name === 'GET /internal/things')).toHaveLength(1);
});

it('ends where the caller leaves, without a status', async () => {
  const leaving = request({ port, host: '127.0.0.1', path: '/hangs' })
    .on('error', () => undefined)
    .end();
  await hanging.promise;
  leaving.destroy();
  const span = await spanOf('GET /hangs');
  expect(span?.attributes).toEqual({ 'http.request.method': 'GET', 'http.route': '/hangs', 'error.type': 'aborted' });
});

it('is not created for probes, and has no link where the caller sends no readable trace', async () => {
  await ask('/livez');
  await ask('/things', { method: 'POST', headers: { traceparent: 'planted' } });
  await until(() => spans.ended().at(-1)?.links.length === 0);
  expect(spans.ended().at(-1)).toMatchObject({ name: 'POST /things', parentSpanContext: undefined });
  expect(spans.ended().some(({ name }) => name.includes('livez'))).toBe(false);
});
