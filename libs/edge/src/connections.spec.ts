import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { createAdapter } from './adapter';
import { defaultLimits } from './limits';
import { lingerAfterAnswer } from './linger';
import { answersIn, rawExchange, sendAll } from './testing/exchange';

/** A promise that the test resolves. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** A server that answers GET when the test allows it. */
async function startSlow() {
  const adapter = createAdapter(defaultLimits);
  const [began, resume] = [gate(), gate()];
  const instance = adapter.getInstance();
  instance.get('/fast', () => ({}));
  instance.get('/slow/:n', async (request, reply) => {
    began.open();
    await resume.opened;
    return reply.send(request.params);
  });
  instance.post('/notes', () => ({}));
  // As Nest does.
  adapter.registerParserMiddleware();
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  await instance.ready();
  const server = adapter.createListener();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    began: began.opened,
    resume: resume.open,
    stop: async () => {
      server.close().closeAllConnections();
      await instance.close();
    },
  };
}

let slow: Awaited<ReturnType<typeof startSlow>>;
beforeEach(async () => {
  slow = await startSlow();
});
afterEach(() => slow.stop());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const tunnel = 'CONNECT planted.example:443 HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends text and resets the connection when `when` resolves. */
async function resetAfter(text: string, when: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  const socket = connect(slow.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  await when();
  socket.resetAndDestroy();
  await once(socket, 'close');
}

const expectAlive = async (): Promise<void> => {
  expect((await fetch(`http://127.0.0.1:${slow.port}/fast`)).status).toBe(200);
};

describe('a caller that resets the connection', () => {
  it.each(['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'planted\r\n\r\n', `${get('/fast')}${tunnel}`])(
    'during the answer to %j does not affect other callers',
    async (text) => {
      await Promise.all(Array.from({ length: 50 }, () => resetAfter(text)));
      await expectAlive();
    },
  );

  it('does not affect other callers while an answer before CONNECT is due', async () => {
    await resetAfter(get('/slow/1') + tunnel, () => slow.began);
    slow.resume();
    await expectAlive();
  });
});

it('answers CONNECT after all earlier requests of the connection', async () => {
  const answer = rawExchange(slow.port, get('/slow/1') + get('/slow/2') + get('/fast') + tunnel);
  await slow.began;
  slow.resume();
  expect(answersIn(await answer).map(({ status, body }) => [status, body.slice(0, 11)])).toEqual([
    [200, '{"n":"1"}'],
    [200, '{"n":"2"}'],
    [200, '{}'],
    [405, '{"code":405'],
  ]);
});

it('closes the connection of a CONNECT although earlier answers never come', async () => {
  expect(await rawExchange(slow.port, get('/slow/1') + tunnel)).toBe('');
  await expectAlive();
});

it.each([
  [400, 'planted\r\n\r\n'],
  [400, 'POST /slow/1 HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  [
    400,
    'POST /notes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nplanted\r\n',
  ],
  [405, tunnel],
])('does not reset the connection of a caller that still sends: it reads its %d', async (status, text) => {
  const { answer, failure } = await sendAll(slow.port, [text, Buffer.alloc(4_000_000, 'x')]);
  expect([answersIn(answer).map((one) => one.status), failure]).toEqual([[status], undefined]);
});

describe('a connection with many requests', () => {
  it('is changed once, however many answers precede their bodies', () => {
    const socket = new Socket();
    const changes = [1, 2].map(() => {
      lingerAfterAnswer(new IncomingMessage(socket));
      return Object.getOwnPropertyDescriptor(socket, 'destroySoon')?.value as unknown;
    });
    socket.destroy();
    expect(changes).toEqual([expect.any(Function), changes[0]]);
  });

  it('closes at once if the latest body is complete, and reads on if not', () => {
    const closedAtOnce = [true, false].map((isThere) => {
      const socket = new Socket();
      let isClosed = false;
      socket.destroySoon = () => void (isClosed = true);
      for (const complete of [!isThere, isThere])
        lingerAfterAnswer(Object.assign(new IncomingMessage(socket), { complete }));
      socket.destroySoon();
      socket.destroy();
      return isClosed;
    });
    expect(closedAtOnce).toEqual([true, false]);
  });
});
