import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { ExportItem } from '@opendsr-service/contracts';
import { recordSpans } from '@opendsr-service/storage/testing';
import { BrokenExport } from './export-source';
import { IngestionClient } from './ingestion.client';

const TOKEN = 'service-token-of-the-tests-0123456789';
const ORDER = { ws: 'ws', srid: 's', kid: 'k', identities: 'i' };

describe('the client of ingestion', () => {
  let server: Server;
  let answer: { status: number; parts: readonly string[]; cut?: boolean; silent?: boolean };
  let asked: { url?: string; authorization?: string; traceparent?: unknown; body: string };
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked = {
          url: request.url,
          authorization: request.headers.authorization,
          ...(request.headers.traceparent && { traceparent: request.headers.traceparent }),
          body,
        };
        response.writeHead(answer.status);
        for (const part of answer.parts) response.write(part);
        if (answer.silent) return;
        if (answer.cut) setImmediate(() => response.destroy());
        else response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  const read = async (silentMs?: number) => {
    const items: ExportItem[] = [];
    const client = new IngestionClient(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      () => Promise.resolve([TOKEN, 'another-token-of-the-tests-0123456789']),
      silentMs,
    );
    for await (const item of client.read(ORDER)) items.push(item);
    return items;
  };

  it('sends the token and the seals, and reads the lines', async () => {
    answer = {
      status: 200,
      parts: [
        '{"subjects":["a"]}\n{"profile":{"id":1}}\n{"ba',
        'tch":{"n":1}}\n',
        '{"end":{"profiles":1,"batches":1,"attributes":0}}\n',
      ],
    };
    expect(await read()).toEqual([
      { subjects: ['a'] },
      { profile: '{"id":1}' },
      { batch: '{"n":1}' },
      { end: { profiles: 1, batches: 1, attributes: 0 } },
    ]);
    expect(asked).toEqual({ url: '/internal/exports', authorization: `Bearer ${TOKEN}`, body: JSON.stringify(ORDER) });
  });

  it('passes the trace to ingestion', async () => {
    answer = { status: 200, parts: ['{"end":{"profiles":0,"batches":0,"attributes":0}}\n'] };
    const spans = recordSpans();
    await read();
    const [span] = spans.ended();
    await spans.stop();
    expect(span?.name).toBe('POST /internal/exports');
    expect(asked.traceparent).toContain(`${span?.spanContext().traceId ?? ''}-${span?.spanContext().spanId ?? ''}`);
  });

  it('fails if ingestion does not answer with a complete export', async () => {
    answer = { status: 503, parts: ['{}'] };
    await expect(read()).rejects.toThrow(BrokenExport);
    answer = { status: 200, parts: ['{"profile":{"id":1}}\n{"batch":'], cut: true };
    await expect(read()).rejects.toThrow();
  });

  it('gives up on an ingestion that sends nothing more, before its answer or within', async () => {
    for (const parts of [[], ['{"profile":{"id":1}}\n']]) {
      answer = { status: 200, parts, silent: true };
      await expect(read(50)).rejects.toThrow();
    }
    server.closeAllConnections();
  });

  it('uses a connection again', async () => {
    const connected = jest.fn();
    server.on('connection', connected);
    answer = { status: 200, parts: ['{"end":{"profiles":0,"batches":0,"attributes":0}}\n'] };
    for (let n = 0; n < 3; n += 1) await read();
    expect(connected.mock.calls.length).toBeLessThan(2);
    server.off('connection', connected);
  });
});
