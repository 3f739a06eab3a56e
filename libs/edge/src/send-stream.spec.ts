import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { createAdapter, type EdgeAdapter } from './adapter';
import { answerError, type FailureFacts } from './answer-error';
import { defaultLimits } from './limits';
import { sendStream } from './send-stream';
import { answersIn, head, rawExchange } from './testing/exchange';

class StoreAway extends Error {
  override readonly name = 'StoreAway';
}
type Report = readonly [error: unknown, facts: FailureFacts];

let reported: Report[];
let report: (one: Report) => void;
let first: Promise<Report>;
let adapter: EdgeAdapter;
let port: number;
let unread: Readable | undefined;
let reads = 0;
let asked: PromiseWithResolvers<FastifyReply['raw']>;

async function* endless(): AsyncGenerator<string> {
  for (;;) yield await Promise.resolve('x'.repeat(65_536));
}
async function* breaking(pieces: number): AsyncGenerator<string> {
  for (let n = 0; n < pieces; n += 1) yield await Promise.resolve('piece');
  throw new StoreAway();
}

beforeAll(async () => {
  adapter = createAdapter(defaultLimits, {
    isAway: (error) => error instanceof StoreAway,
    report: (error, facts) => {
      report([error, facts]);
    },
  });
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  adapter.registerParserMiddleware();
  const instance = adapter.getInstance();
  const streams: Record<string, (reply: FastifyReply) => Promise<Readable>> = {
    '/whole': () => Promise.resolve(Readable.from(['one', 'two'])),
    '/endless': () => Promise.resolve(Readable.from(endless())),
    '/breaking': () => Promise.resolve(Readable.from(breaking(2))),
    '/broken': () => Promise.resolve(Readable.from(breaking(0))),
    '/unread': (reply) => {
      void reply.header('content-length', 7);
      unread = new Readable({ read: () => void (reads += 1) });
      return Promise.resolve(unread);
    },
    '/late': async (reply) => {
      asked.resolve(reply.raw);
      await once(reply.raw, 'close');
      return Readable.from(['late']);
    },
    '/late-store': async (reply) => {
      asked.resolve(reply.raw);
      await once(reply.raw, 'close');
      throw Object.assign(new StoreAway(), { code: 'ECONNRESET' });
    },
    '/slow': (reply) => {
      asked.resolve(reply.raw);
      return Promise.resolve(new Readable({ read: () => undefined }));
    },
  };
  for (const [path, open] of Object.entries(streams)) {
    // Like a controller, whose errors go to a filter.
    instance.route({
      method: ['GET', 'POST'],
      url: path,
      handler: async (request, reply) => {
        try {
          await sendStream(reply, await open(reply));
        } catch (error) {
          answerError(error, request, reply, 'dsr');
        }
      },
    });
  }
  await instance.listen({ port: 0, host: '127.0.0.1' });
  port = (instance.server.address() as AddressInfo).port;
});
beforeEach(() => {
  reported = [];
  asked = Promise.withResolvers();
  const firstReport = Promise.withResolvers<Report>();
  first = firstReport.promise;
  report = (one) => {
    reported.push(one);
    firstReport.resolve(one);
  };
});
afterAll(() => adapter.getInstance().close());

it('streams an answer to its end, and reports nothing', async () => {
  expect(await rawExchange(port, head('GET /whole'))).toMatch(/^HTTP\/1\.1 200 [^]*one[^]*two[^]*\r\n0\r\n\r\n$/);
  expect(reported).toEqual([]);
});

it('closes the stream of a HEAD unread, and sends the headers of the GET', async () => {
  const [answer] = answersIn(await rawExchange(port, head('HEAD /unread')));
  expect([answer?.status, answer?.headers['content-length'], answer?.body]).toEqual([200, '7', '']);
  expect([unread?.destroyed, reads, reported]).toEqual([true, 0, []]);
});

it('reports a caller that left in the middle of an answer with 499, not as a failure', async () => {
  const socket = connect(port, '127.0.0.1', () => socket.write(head('GET /endless')));
  await once(socket, 'data');
  socket.resetAndDestroy();
  expect(await first).toEqual([
    expect.objectContaining({ name: 'CallerGone' }),
    { requestId: expect.any(String) as string, method: 'GET', route: '/endless', status: 499 },
  ]);
});

const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n';

it.each([
  ['before the answer began', 'late', head('GET /late')],
  ['before the answer to its body began', 'late', `${head('POST /late', body)}{}`],
  ['while the first piece is waited for', 'slow', head('GET /slow')],
  ['while the first piece is waited for, after its body', 'slow', `${head('POST /slow', body)}{}`],
])('reports a caller that crashed %s once with 499, not as a failure', async (_when, name, sent) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(sent));
  const raw = await asked.promise;
  const closed = once(raw, 'close');
  socket.resetAndDestroy();
  await closed;
  expect((await first)[1]).toMatchObject({ route: `/${name}`, status: 499 });
  await setImmediate();
  expect(reported).toHaveLength(1);
});

it('reports a store that is away as a failure, although the caller has left', async () => {
  const socket = connect(port, '127.0.0.1', () => socket.write(head('GET /late-store')));
  await asked.promise;
  socket.resetAndDestroy();
  expect(await first).toEqual([expect.any(StoreAway), expect.objectContaining({ route: '/late-store', status: 503 })]);
});

it('reports the error of a stream in the middle of an answer and cuts the answer off', async () => {
  expect(await rawExchange(port, head('GET /breaking'))).not.toMatch(/\r\n0\r\n/);
  expect(await first).toEqual([expect.any(StoreAway), expect.objectContaining({ route: '/breaking', status: 503 })]);
  expect(reported).toHaveLength(1);
});

it('answers the error of a stream before the answer began and reports it once', async () => {
  const [answer] = answersIn(await rawExchange(port, head('GET /broken')));
  expect(answer?.status).toBe(503);
  expect(reported.map(([error, { status }]) => [error, status])).toEqual([[expect.any(StoreAway), 503]]);
});
