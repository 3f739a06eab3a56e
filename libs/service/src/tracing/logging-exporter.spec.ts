import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { createLogger } from '../logger/logger';
import { LoggingExporter } from './logging-exporter';

const MINUTE_MS = 60_000;
const SPANS = [{}, {}] as ReadableSpan[];

function open() {
  const lines: string[] = [];
  const state = { fails: false, nowMs: 0 };
  const error = Object.assign(new Error('connect ECONNREFUSED http://user:secret@collector'), { code: 'ECONNREFUSED' });
  const inner: SpanExporter = {
    export: (_spans, done) => done(state.fails ? { code: 1, error } : { code: 0 }),
    shutdown: () => Promise.resolve(),
  };
  const exporter = new LoggingExporter(
    inner,
    createLogger('a', 'info', { write: (line) => void lines.push(line) }),
    () => state.nowMs,
  );
  return {
    state,
    lines,
    send: () => exporter.export(SPANS, () => undefined),
    logged: () => lines.map((line) => JSON.parse(line) as { msg: string; count: number }),
  };
}

it('says once that spans cannot be exported, again after ten minutes, how many were lost, and when it works again', () => {
  const { state, send, logged } = open();
  state.fails = true;
  for (let minutes = 0; minutes < 10; minutes++) {
    state.nowMs = minutes * MINUTE_MS;
    send();
  }
  expect(logged()).toMatchObject([{ level: 'warn', msg: 'Traces cannot be exported', count: 2 }]);
  state.nowMs = 10 * MINUTE_MS;
  send();
  expect(logged().at(-1)).toMatchObject({ level: 'warn', count: 20 });
  state.fails = false;
  send();
  send();
  expect(logged().slice(2)).toMatchObject([{ level: 'info', msg: 'Traces are exported again' }]);
});

it('says nothing of the address, which may hold a password', () => {
  const { state, send, lines } = open();
  state.fails = true;
  send();
  expect(lines.join()).toContain('ECONNREFUSED');
  expect(lines.join()).not.toMatch(/secret|collector/);
});
