import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { createAdapter, type EdgeAdapter } from './adapter';
import { beforeBody } from './before-body';
import { defaultLimits } from './limits';

const LIMIT = 2;
const BODY_BYTES = 10;
let adapter: EdgeAdapter;
let [guardedPort, otherPort] = [0, 0];
let waiting: PromiseWithResolvers<unknown>[];
let checked: number;
let checking: PromiseWithResolvers<void>;
const sockets: Socket[] = [];

async function listen(options: { readonly guarded: boolean }): Promise<number> {
  const server = adapter.createListener();
  if (options.guarded) adapter.callLimiter.guard(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => void server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}
const stops: (() => unknown)[] = [];

beforeEach(async () => {
  waiting = [];
  checked = 0;
  checking = Promise.withResolvers();
  checking.resolve();
  adapter = createAdapter(
    { ...defaultLimits, calls: LIMIT, bodiesBytes: 4 * BODY_BYTES },
    { errorStyle: (path) => (path?.startsWith('/v1/') ? 'ingest' : 'dsr') },
  );
  adapter.registerParserMiddleware();
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  beforeBody(
    adapter,
    () => true,
    async () => {
      checked += 1;
      await checking.promise;
    },
  );
  const work = () => {
    const one = Promise.withResolvers<unknown>();
    waiting.push(one);
    return one.promise;
  };
  for (const path of ['/v2/notes', '/v1/marks']) adapter.getInstance().get(path, work).post(path, work);
  await adapter.getInstance().ready();
  [guardedPort, otherPort] = [await listen({ guarded: true }), await listen({ guarded: false })];
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const stop of stops.splice(0)) stop();
  await adapter.getInstance().close();
});

const get = (path = '/v2/notes') => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (body: string, path = '/v2/notes') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n${body}`;

function send(text: string, port = guardedPort): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.write(text);
  return socket;
}
const answerOn = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);
const ask = (text: string, port = guardedPort) => answerOn(send(text, port));

/** Turns of the event loop until something is so; no clock decides. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  for (let turns = 0; !isSo(); turns += 1) {
    if (turns > 100_000) throw new Error('it never became so');
    await new Promise((next) => setImmediate(next));
  }
}

/** Calls that wait in their handler. */
async function hold(count: number): Promise<Socket[]> {
  const before = waiting.length;
  const held = Array.from({ length: count }, () => send(get()));
  await turnsUntil(() => waiting.length === before + count);
  return held;
}
const finish = async (held: readonly Socket[]): Promise<void> => {
  const answers = held.map(answerOn);
  for (const one of waiting.splice(0)) one.resolve({});
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
};

it.each([
  ['/v2/notes', { code: 503, errors: [{ domain: 'Service', reason: 'UnavailableException' }] }],
  ['/v1/marks', { errors: [{ code: 'SERVICE_UNAVAILABLE' }] }],
])(
  'refuses a call beyond the limit to %s at once: 503 with a time to come again, in its error body',
  async (path, body) => {
    await hold(LIMIT);
    checked = 0;
    // The body has not come.
    for (const text of [get(path), post('', path)]) {
      const [head = '', answerBody = ''] = (await ask(text)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 503 /);
      expect(head.toLowerCase()).toMatch(/\r\nretry-after: 1\r\n/);
      expect(JSON.parse(answerBody)).toMatchObject(body);
    }
    expect([checked, adapter.callLimiter.working, adapter.callLimiter.refused]).toEqual([0, LIMIT, 2]);
  },
);

it('gives up the place of a call with a faulty body behind another call of its connection', async () => {
  checking = Promise.withResolvers();
  const faulty = 'POST /v2/notes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
  const socket = send(get() + faulty);
  await turnsUntil(() => checked === 2);
  socket.destroy();
  checking.resolve();
  await turnsUntil(() => waiting.length === 1);
  waiting.pop()?.resolve({});
  await turnsUntil(() => adapter.callLimiter.working === 0);
});

it('takes calls again as soon as others are answered', async () => {
  const held = await hold(LIMIT);
  expect(await ask(get())).toMatch(/^HTTP\/1\.1 503 /);
  await finish(held);
  expect(adapter.callLimiter.working).toBe(0);
  await finish(await hold(LIMIT));
});

it('holds no place for a call whose body is on its way, and refuses the body where there is no place when it has come', async () => {
  const slow = Array.from({ length: LIMIT + 1 }, () => send(post('{')));
  await turnsUntil(() => checked === LIMIT + 1);
  await turnsUntil(() => adapter.callLimiter.working === 0);
  await hold(LIMIT);
  const answers = slow.map(answerOn);
  // It is no JSON: the call is refused before anyone looks.
  for (const socket of slow) socket.write('x'.repeat(9));
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 503 /);
});

it('refuses the call whose body has been arriving for the longest time where too much of bodies is on its way', async () => {
  const slow: Socket[] = [];
  for (let count = 1; count <= 4; count += 1) {
    slow.push(send(post('{', '/v1/marks')));
    await turnsUntil(() => checked === count);
  }
  const [oldest, ...others] = slow.map(answerOn);
  send(post('{'), otherPort);
  const last = send(post('{'));
  const [head = '', body = ''] = ((await oldest) ?? '').split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head.toLowerCase()).toMatch(/\r\nretry-after: 1\r\n/);
  expect(JSON.parse(body)).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] });
  expect(adapter.callLimiter.refused).toBe(1);
  // What is no JSON any more is refused as such: the bodies have come.
  const answers = [...others, answerOn(last)];
  for (const socket of [...slow.slice(1), last]) socket.write('x'.repeat(BODY_BYTES - 1));
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

it('does not count calls of a listener that is not guarded', async () => {
  const held = Array.from({ length: LIMIT + 1 }, () => send(get(), otherPort));
  await turnsUntil(() => waiting.length === LIMIT + 1);
  expect(adapter.callLimiter.working).toBe(0);
  await finish(held);
});

it.each<[string, (one: PromiseWithResolvers<unknown>) => void]>([
  [
    'with an answer',
    (one) => {
      one.resolve({});
    },
  ],
  [
    'because the caller is gone',
    (one) => {
      one.reject(Object.assign(new Error(), { code: 'EPIPE' }));
    },
  ],
])('counts the work for a caller that left until it ends, %s', async (_how, end) => {
  const held = await hold(LIMIT);
  const closed = held.map((socket) => once(socket, 'close'));
  for (const socket of held) socket.destroy();
  await Promise.all(closed);
  expect(await ask(get())).toMatch(/^HTTP\/1\.1 503 /);
  for (const one of waiting.splice(0)) end(one);
  await turnsUntil(() => adapter.callLimiter.working === 0);
});
