import { trace } from '@opentelemetry/api';
import { recordSpans, type RecordedSpans } from '@opendsr-service/storage/testing';
import { inRecordSpan } from './record-span';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const record = {
  topic: 't',
  headers: { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`, tracestate: 'vendor=planted' },
};

let spans: RecordedSpans;
beforeEach(() => {
  spans = recordSpans();
});
afterEach(() => spans.stop());

const inBatch = (work: () => Promise<unknown>) =>
  trace.getTracer('spec').startActiveSpan('batch', async (span) => {
    await work().catch(() => undefined);
    span.end();
  });

it('creates no span for a record whose batch has none', async () => {
  expect(await inRecordSpan(record, () => Promise.resolve(1))).toBe(1);
  expect(spans.ended()).toEqual([]);
});

it('reads only the traceparent of the headers', async () => {
  await inBatch(() => inRecordSpan(record, () => Promise.resolve()));
  expect(spans.ended()[0]?.spanContext()).toMatchObject({ traceId: TRACE_ID });
  expect(spans.ended()[0]?.spanContext().traceState?.serialize() ?? '').toBe('');
});

it.each<[Record<string, string>]>([[{}], [{ traceparent: 'nonsense' }]])(
  'belongs to its batch if the record names no writer: %j',
  async (headers) => {
    await inBatch(() => inRecordSpan({ topic: 't', headers }, () => Promise.resolve()));
    const [one, batch] = spans.ended();
    expect(one?.parentSpanContext?.spanId).toBe(batch?.spanContext().spanId);
  },
);

it('records only the name of an error, and throws the error again', async () => {
  await inBatch(() =>
    expect(inRecordSpan(record, () => Promise.reject(new TypeError('planted')))).rejects.toThrow('planted'),
  );
  expect(spans.ended()[0]).toMatchObject({
    attributes: { 'error.type': 'TypeError' },
    status: { code: 2 },
    events: [],
  });
});
