import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { V2 } from '@opendsr-service/contracts';
import { createAdapter, defaultLimits } from '@opendsr-service/edge';
import { until } from '@opendsr-service/messaging/testing';
import { recordSpans } from '@opendsr-service/storage/testing';
import { RESULTS_SOURCE } from '../tokens';
import { ResultsClient } from './results.client';
import { resultsController } from './results.controller';

const ARCHIVE = randomBytes(2_097_152);
const MEBIBYTE = Buffer.alloc(1_048_576);
/** Far more than the buffers of all sockets on the way hold. */
const LONG_MEBIBYTES = 256;

describe('results passed through', () => {
  /** The results service, as far as the gateway sees it. */
  let answer: (response: ServerResponse) => void;
  const asked: { url?: string; authorization?: string; traceparent?: unknown }[] = [];
  const service = createServer((request, response) => {
    asked.push({
      url: request.url,
      authorization: request.headers.authorization,
      ...(request.headers.traceparent && { traceparent: request.headers.traceparent }),
    });
    answer(response);
  });
  let app: INestApplication;
  let address = '';
  beforeAll(async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const source = new ResultsClient(`http://127.0.0.1:${(service.address() as AddressInfo).port}`, () =>
      Promise.resolve(['token-of-services', 'another-token']),
    );
    @Module({ controllers: [resultsController(V2)], providers: [{ provide: RESULTS_SOURCE, useValue: source }] })
    class PassThrough {}
    app = await NestFactory.create(PassThrough, createAdapter(defaultLimits), { logger: false });
    await app.listen(0, '127.0.0.1');
    address = `${await app.getUrl()}/v2/results/`;
  });
  afterAll(async () => {
    service.closeAllConnections();
    service.close();
    await app.close();
  });

  const archive = (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-length': ARCHIVE.length }).end(ARCHIVE);
  const download = async (token = 'token'): Promise<Buffer> =>
    Buffer.from(await (await fetch(address + token)).arrayBuffer());
  const begin = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => get(`${address}token`, { agent: false }, resolve).on('error', reject));

  it('are unchanged, and are fetched with the internal token instead of the credentials of the caller', async () => {
    answer = archive;
    const got = await fetch(`${address}a%2Fb`, { headers: { authorization: 'Basic dG9sZXJhdGVk' } });
    expect(Buffer.from(await got.arrayBuffer()).equals(ARCHIVE)).toBe(true);
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'cache-control'].map((name) => [name, got.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'application/zip',
      'content-length': String(ARCHIVE.length),
      'cache-control': 'no-store',
    });
    expect(asked.at(-1)).toEqual({ url: '/internal/results/a%2Fb', authorization: 'Bearer token-of-services' });
  });

  it('are fetched within the trace, which holds no results token', async () => {
    answer = archive;
    const spans = recordSpans();
    await download('planted');
    const [span] = spans.ended();
    await spans.stop();
    expect(span).toMatchObject({
      name: 'GET /internal/results/:token',
      attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
    });
    expect(asked.at(-1)?.traceparent).toContain(
      `${span?.spanContext().traceId ?? ''}-${span?.spanContext().spanId ?? ''}`,
    );
  });

  it('can be fetched again completely after the caller broke off', async () => {
    answer = archive;
    const cut = await begin();
    await once(cut, 'data');
    cut.destroy();
    expect((await download()).equals(ARCHIVE)).toBe(true);
  });

  it('break off with the results service, and never end early as if complete', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': ARCHIVE.length });
      response.write(ARCHIVE.subarray(0, ARCHIVE.length / 2), () => response.destroy());
    };
    const got = await begin();
    expect(got.statusCode).toBe(200);
    const bytes: Buffer[] = [];
    await expect(async () => {
      for await (const chunk of got) bytes.push(chunk as Buffer);
    }).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(Buffer.concat(bytes).length).toBeLessThan(ARCHIVE.length);
    answer = archive;
    expect((await download()).equals(ARCHIVE)).toBe(true);
  });

  it('are not buffered while the caller does not read, and end when it disconnects', async () => {
    let sent = 0;
    let sending: ServerResponse | undefined;
    answer = (response) => {
      sending = response.writeHead(200, { 'content-length': LONG_MEBIBYTES * MEBIBYTE.length });
      const next = (): void => {
        while (sent < LONG_MEBIBYTES) {
          sent += 1;
          if (!response.write(MEBIBYTE)) return void response.once('drain', next);
        }
      };
      next();
    };
    const got = await begin();
    got.pause();
    // It has come to rest where many looks in a row see the same.
    let looks = 0;
    let before = -1;
    await until(() => {
      looks = sent > 0 && sent === before && sending?.writableNeedDrain === true ? looks + 1 : 0;
      before = sent;
      return looks === 10;
    });
    expect(sent).toBeLessThan(LONG_MEBIBYTES / 4);
    got.destroy();
    await until(() => sending?.destroyed === true);
    expect(sent).toBeLessThan(LONG_MEBIBYTES / 2);
  });

  it.each([404, 410])('are answered %i with the error body if the results service answers so', async (status) => {
    answer = (response) => void response.writeHead(status).end();
    const got = await fetch(`${address}token`);
    expect([got.status, ((await got.json()) as { code: number }).code]).toEqual([status, status]);
  });

  it('are asked for once more where the connection breaks before an answer', async () => {
    answer = (response) => {
      answer = archive;
      response.destroy();
    };
    expect((await download()).equals(ARCHIVE)).toBe(true);
  });

  it('are answered 503 with Retry-After while the results service is away', async () => {
    answer = (response) => void response.destroy();
    const got = await fetch(`${address}token`);
    expect([got.status, Number(got.headers.get('retry-after')) > 0]).toEqual([503, true]);
  });
});
