import { randomUUID } from 'node:crypto';
import { SpanKind, trace } from '@opentelemetry/api';
import { recordSpans, type RecordedSpans } from '@opendsr-service/storage/testing';
import { eachInOrder } from '../consumption/each-in-order';
import type { LogBed } from '../log.contract';
import { openLog } from '../open-log';
import type { EventLog } from '../port';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';

const record = (key: string) => ({ key, value: 'planted', headers: { ce_id: '1' } });

/** What every log shows of itself in traces, and to its readers. */
export function tracedLogContract(name: string, setUp: () => Promise<LogBed>): void {
  describe(`${name}, traced`, () => {
    let spans: RecordedSpans;
    let bed: LogBed;
    let log: EventLog;
    const topic = `t-${randomUUID()}`;
    const named = (start: string) => spans.ended().filter((span) => span.name.startsWith(start));

    beforeAll(async () => {
      spans = recordSpans();
      bed = await setUp();
      log = await openLog({ ...bed.open, traced: true });
      await log.topics.apply([{ name: topic, partitions: 1, retentionMs: -1 }], { replication: 1, minIsr: 1 });
    });
    afterAll(async () => {
      await log.close();
      bed.close();
      await spans.stop();
    });

    it('propagates the trace of the writer in a header, and continues it for records handled one by one', async () => {
      const tracer = trace.getTracer('spec');
      for (const [key, name] of [
        ['a', 'first'],
        ['b', 'second'],
      ] as const) {
        await tracer.startActiveSpan(name, async (span) => {
          await log.publisher.publish(topic, [record(key)]);
          span.end();
        });
      }
      const group = `g-${randomUUID()}`;
      const work = ({ key }: { readonly key: string }) =>
        tracer.startActiveSpan(`work on ${key}`, (span) => Promise.resolve(span.end()).then(() => 'done' as const));
      const [listener] = await Listener.join(log, group, [topic], {
        answer: async (records) => [...(await eachInOrder(records, work))],
      });
      await until(() => named('process batch').flatMap(({ links }) => links).length === 2);

      const sends = named('send');
      expect(sends).toMatchObject([
        {
          kind: SpanKind.PRODUCER,
          attributes: { 'messaging.destination.name': topic, 'messaging.batch.message_count': 1 },
        },
        { kind: SpanKind.PRODUCER },
      ]);
      expect(listener.handled.map(({ headers }) => headers)).toEqual(
        sends.map((span) => ({
          ce_id: '1',
          traceparent: `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`,
        })),
      );
      const one = named(`process ${topic}`);
      expect(one.map((span) => span.parentSpanContext?.spanId)).toEqual(sends.map((span) => span.spanContext().spanId));
      expect(named('work on').map((span) => span.parentSpanContext?.spanId)).toEqual(
        one.map((span) => span.spanContext().spanId),
      );
      const batches = named('process batch');
      expect(batches.flatMap(({ links }) => links.map(({ context }) => context.spanId))).toEqual(
        sends.map((span) => span.spanContext().spanId),
      );
      expect(batches[0]).toMatchObject({
        kind: SpanKind.CONSUMER,
        parentSpanContext: undefined,
        attributes: { 'messaging.consumer.group.name': group },
      });
    });

    it('records the name of the error of a failure, and nothing of a record', async () => {
      const away = await openLog({ ...bed.open, traced: true });
      await away.close();
      await expect(away.publisher.publish(topic, [record('c')])).rejects.toThrow();
      expect(named('send').at(-1)).toMatchObject({
        attributes: { 'error.type': 'PublishRefused' },
        status: { code: 2 },
      });
      expect(
        JSON.stringify(spans.ended().map(({ name, attributes, events }) => [name, attributes, events])),
      ).not.toContain('planted');
    });

    it('writes no header if it is not traced', async () => {
      const plain = await openLog(bed.open);
      const [listener] = await Listener.join(plain, `g-${randomUUID()}`, [topic]);
      await plain.publisher.publish(topic, [record('d')]);
      await until(() => listener.keys.includes('d'));
      expect(listener.handled.find(({ key }) => key === 'd')?.headers).toEqual({ ce_id: '1' });
      await plain.close();
    });
  });
}
