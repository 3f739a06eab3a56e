import { recordSpans, type RecordedSpans } from '@opendsr-service/storage/testing';
import { createLogger } from '../logger/logger';
import { tracedCall, tracedInternalCall } from './calls';
import { isTracing } from './tracing';

const answer = (status: number) => Promise.resolve(new Response(null, { status }));

it('changes nothing without tracing', async () => {
  expect(isTracing()).toBe(false);
  let given: object | undefined;
  await tracedInternalCall('GET', '/internal/things/:id', (headers) =>
    answer(200 + Object.keys((given = headers)).length),
  );
  expect(given).toEqual({});
});

describe('while spans are recorded', () => {
  let spans: RecordedSpans;
  beforeEach(() => {
    spans = recordSpans();
  });
  afterEach(() => spans.stop());

  it('propagates the trace to another of our services', async () => {
    let propagated: string | undefined;
    await tracedInternalCall('GET', '/internal/things/:id', (headers) =>
      answer(200 + ((propagated = headers.traceparent) ? 0 : 1)),
    );
    const [span] = spans.ended();
    expect(span).toMatchObject({
      name: 'GET /internal/things/:id',
      attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
      status: { code: 0 },
    });
    expect(propagated).toBe(`00-${span?.spanContext().traceId ?? ''}-${span?.spanContext().spanId ?? ''}-01`);
  });

  it('records the status of a failure, or the name of the error without its message', async () => {
    await tracedCall({ method: 'POST', route: 'callback', statusOf: ({ status }: Response) => status }, () =>
      answer(404),
    );
    await expect(
      tracedCall({ method: 'POST', route: 'callback', statusOf: () => 200 }, () =>
        Promise.reject(new TypeError('planted')),
      ),
    ).rejects.toThrow('planted');
    await tracedCall({ method: 'POST', route: 'callback', statusOf: () => undefined }, () => answer(200));
    expect(spans.ended().map(({ attributes, status }) => [attributes['error.type'], status])).toEqual([
      ['404', { code: 2 }],
      ['TypeError', { code: 2 }],
      ['unanswered', { code: 2 }],
    ]);
    expect(JSON.stringify(spans.ended().map(({ events, attributes }) => [events, attributes]))).not.toContain(
      'planted',
    );
  });

  it('puts the trace on each line of the log', async () => {
    const lines: string[] = [];
    const log = createLogger('a', 'info', { write: (line) => void lines.push(line) });
    await tracedCall({ method: 'GET', route: 'x', statusOf: () => 200 }, () => {
      log.info({}, 'Inside');
      return answer(200);
    });
    log.info({}, 'Outside');
    const [inside, outside] = lines.map((line) => JSON.parse(line) as object);
    const context = spans.ended()[0]?.spanContext();
    expect(inside).toMatchObject({ traceId: context?.traceId, spanId: context?.spanId });
    expect(outside).not.toHaveProperty('traceId');
  });
});
