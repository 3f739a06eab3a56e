import 'reflect-metadata';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createAdapter } from './adapter';
import { type Answered, setCallerClass } from './answered';
import { tooManyRequests, unauthorized } from './api-error';
import { beforeBody } from './before-body';
import { defaultLimits } from './limits';
import { head, rawExchange } from './testing/exchange';

let answered: Answered[];
let tellFirst: () => void;
let first: Promise<void>;
let patient: Edge;
/** For callers that are too slow. */
let hasty: Edge;
const slow = Promise.withResolvers<void>();
/** Only routes below this path belong to the listener. */
const OWN = '/own';

interface Edge {
  readonly port: number;
  close(): Promise<void>;
}

async function openEdge(more: Partial<typeof defaultLimits> = {}): Promise<Edge> {
  const adapter = createAdapter(
    { ...defaultLimits, bodyBytes: 100, headers: 20, ...more },
    {
      answered: (one) => {
        answered.push(one);
        tellFirst();
      },
    },
  );
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  adapter.registerParserMiddleware();
  beforeBody(
    adapter,
    (path) => path.startsWith(OWN),
    (http) => {
      if (http.headers.authorization === undefined) throw unauthorized();
      setCallerClass(http, 'gold');
      if (http.headers.authorization === 'busy') throw tooManyRequests(1);
    },
  );
  const instance = adapter.getInstance();
  instance.get(`${OWN}/things/:id`, async () => Promise.resolve('thing'));
  instance.post(`${OWN}/things/:id`, async () => Promise.resolve('taken'));
  instance.get(`${OWN}/slow`, () => {
    slow.resolve();
    return new Promise<void>(() => undefined);
  });
  instance.get('/elsewhere/:id', async () => Promise.resolve('hidden'));
  await instance.ready();
  const server = adapter.createListener((pattern) => pattern.startsWith(OWN));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await instance.close();
    },
  };
}

beforeAll(async () => {
  patient = await openEdge();
  hasty = await openEdge({ headersTimeoutMs: 300, requestTimeoutMs: 400, timeoutCheckMs: 20 });
});
beforeEach(() => {
  answered = [];
  first = new Promise((resolve) => (tellFirst = resolve));
});
afterAll(() => Promise.all([patient.close(), hasty.close()]));

const AS = 'Authorization: me\r\n';
const json = (length: number) => `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
const facts = ({ method, route, status, callerClass }: Answered) => [method, route, status, callerClass];

type Row = [what: string, text: string, facts: [string | undefined, string | undefined, number, string | undefined]];

it.each<Row>([
  ['a call that is answered', head('GET /own/things/17', AS), ['GET', '/own/things/:id', 200, 'gold']],
  ['another spelling of a path', head('GET /%6fwn/things/17/?a=b', AS), ['GET', '/own/things/:id', 200, 'gold']],
  ['one without credentials', head('GET /own/things/17'), ['GET', '/own/things/:id', 401, undefined]],
  [
    'one beyond a limit',
    head('GET /own/things/17', 'Authorization: busy\r\n'),
    ['GET', '/own/things/:id', 429, 'gold'],
  ],
  ['an unknown path', head('GET /own/person@example.com', AS), ['GET', undefined, 404, undefined]],
  ['a route of another listener', head('GET /elsewhere/17', AS), ['GET', undefined, 404, undefined]],
  ['a method that a path does not have', head('DELETE /own/things/17', AS), ['DELETE', undefined, 405, undefined]],
  [
    'a body that is too large',
    head('POST /own/things/17', AS + json(101)) + 'x'.repeat(101),
    ['POST', '/own/things/:id', 413, 'gold'],
  ],
  [
    'a body that is not JSON',
    head('POST /own/things/17', AS + json(1)) + 'x',
    ['POST', '/own/things/:id', 400, 'gold'],
  ],
  ['a path that cannot be read', head('GET /own/%zz', AS), ['GET', undefined, 400, undefined]],
  [
    'too many headers',
    head('GET /own/things/17', AS + 'x-a: a\r\n'.repeat(20)),
    ['GET', '/own/things/:id', 431, undefined],
  ],
  [
    'an unknown expectation',
    head('GET /own/things/17', `${AS}Expect: miracles\r\n`),
    ['GET', '/own/things/:id', 417, undefined],
  ],
  ['text that is not HTTP', 'person@example.com\r\n\r\n', [undefined, undefined, 400, undefined]],
  ['a tunnel', head('CONNECT example.com:443'), [undefined, undefined, 405, undefined]],
])(
  'reports %s once: by its route, never its path, and by the kind of a proved caller',
  async (_what, text, expected) => {
    await rawExchange(patient.port, text);
    await first;
    expect(answered.map(facts)).toEqual([expected]);
    expect(answered[0]?.durationSeconds).toBeGreaterThanOrEqual(0);
  },
);

it.each<Row>([
  ['a body', head('POST /own/things/17', AS + json(9)) + '{', ['POST', '/own/things/:id', 408, 'gold']],
  ['headers', 'GET /own/things/17 HTTP/1.1\r\n', [undefined, undefined, 408, undefined]],
])('reports %s that did not arrive in time once', async (_what, text, expected) => {
  await rawExchange(hasty.port, text);
  await first;
  expect(answered.map(facts)).toEqual([expected]);
});

it('reports a caller that left before the answer with status 499, which is never sent', async () => {
  const socket = connect(patient.port, '127.0.0.1', () => socket.write(head('GET /own/slow', AS)));
  await slow.promise;
  socket.destroy();
  await first;
  expect(answered.map(facts)).toEqual([['GET', '/own/slow', 499, 'gold']]);
});
