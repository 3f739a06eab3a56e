import { type Answer, answersIn, head, rawExchange, sendAll } from './testing/exchange';
import { impatient, smallLimits, startNotes } from './testing/notes-server';

let notes: Awaited<ReturnType<typeof startNotes>>;
let hasty: typeof notes;
beforeAll(async () => {
  notes = await startNotes();
  hasty = await startNotes({}, impatient);
});
afterAll(() => Promise.all([notes.stop(), hasty.stop()]));

type Place = (typeof notes)['places'][number];
type Pieces = readonly (string | Buffer)[];

const json = 'Content-Type: application/json\r\n';
const post = (path: string, body: string | Buffer, headers = json): Pieces => [
  head(`POST ${path}`, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`),
  body,
];
const chunked = (path: string, chunks: string): Pieces => [
  head(`POST ${path}`, `${json}Transfer-Encoding: chunked\r\n`),
  chunks,
];

const tiny = (body: string) => [...body].map((char) => `1\r\n${char}\r\n`).join('');

async function ask({ port }: Place, pieces: Pieces): Promise<Answer> {
  const answers = answersIn(await rawExchange(port, ...pieces));
  expect(answers).toHaveLength(1);
  return answers[0] as Answer;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const text = expect.any(String) as string;

/** Every error answer has the body of its style, its headers, and nothing of the request. */
function expectError({ status, headers, body }: Answer, wanted: number, style: string): void {
  expect(status).toBe(wanted);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(uuid) as string,
  });
  if (style === 'dsr')
    expect(JSON.parse(body)).toEqual({
      code: wanted,
      message: text,
      errors: [{ domain: text, reason: text, message: text }],
    });
  else
    expect(JSON.parse(body)).toEqual({
      errors: [{ code: expect.stringMatching(/^[A-Z_]+$/) as string, message: text }],
    });
  expect(JSON.stringify(headers) + body).not.toMatch(/planted|node_modules|\.ts\b/);
}

type Row = readonly [what: string, status: number, pieces: (path: string) => Pieces];
const everywhere = (run: (place: Place) => Promise<void>, at = notes) => Promise.all(at.places.map(run));

const manyKeys = (count: number) =>
  JSON.stringify({ text: 'a', ...Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`k${at}`, 1])) });
const deep = (levels: number) => `{"text":"a","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

const refusals: readonly Row[] = [
  ['an unknown address', 404, (path) => [head(`GET ${path}/planted/planted`)]],
  [
    'an unknown address with a body of another type, still being sent',
    404,
    (path) => [head(`POST ${path}/planted/planted`, 'Content-Type: text/plain\r\nContent-Length: 9\r\n')],
  ],
  ['two slashes at the end', 404, (path) => [head(`GET ${path}//`)]],
  ['dot segments, which are resolved by clients', 404, (path) => [head(`GET ${path}/../planted`)]],
  ['an encoded slash where a slash belongs', 404, (path) => [head(`GET ${path.replace(/\/(\w+)$/, '%2f$1')}`)]],
  ['a path that cannot be decoded', 400, (path) => [head(`GET ${path}/%zz-planted`)]],
  ['a path that is not UTF-8', 400, (path) => [head(`GET ${path}/%ff`)]],
  ['a query that is not UTF-8', 400, (path) => [head(`GET ${path}?a=1&planted=M%E4rz`)]],
  ['a query that cannot be decoded', 400, (path) => [head(`GET ${path}?planted=%zz`)]],
  ['a query with a name that is not UTF-8', 400, (path) => [head(`GET ${path}?%ff=planted`)]],
  ['an address that is too long', 414, (path) => [head(`GET ${path}/${'x'.repeat(smallLimits.uriBytes)}`)]],
  ['a query that is too long', 414, (path) => [head(`GET ${path}?${'x'.repeat(smallLimits.uriBytes)}`)]],
  ['too many headers', 431, (path) => [head(`GET ${path}`, 'X-Planted: planted\r\n'.repeat(60))]],
  ['a missing Host', 400, (path) => [`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`]],
  ['two Hosts', 400, (path) => [head(`GET ${path}`, 'Host: planted\r\n')]],
  ['an invalid Host', 400, (path) => [`GET ${path} HTTP/1.1\r\nHost: planted/a b\r\nConnection: close\r\n\r\n`]],
  [
    'two Authorization headers',
    400,
    (path) => [head(`GET ${path}`, 'Authorization: Basic planted\r\nAuthorization: Basic planted2\r\n')],
  ],
  ['two content types', 400, (path) => post(path, '{"text":"a"}', `${json}Content-Type: text/planted\r\n`)],
  ['another version of HTTP', 400, (path) => [`GET ${path} HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n`]],
  ['no version of HTTP', 400, (path) => [`GET ${path}\r\n\r\n`]],
  [
    'a coding below chunked',
    400,
    (path) => [head(`POST ${path}`, `${json}Transfer-Encoding: gzip, chunked\r\n`), '0\r\n\r\n'],
  ],
  ['a coding without chunked', 400, (path) => [head(`POST ${path}`, `${json}Transfer-Encoding: planted\r\n`), '{}']],
  [
    'chunks in HTTP/1.0',
    400,
    (path) => [`POST ${path} HTTP/1.0\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, '2\r\n{}\r\n0\r\n\r\n'],
  ],
  [
    'an unknown expectation',
    417,
    (path) => [`POST ${path} HTTP/1.1\r\nHost: a\r\n${json}Expect: planted\r\nContent-Length: 2\r\n\r\n`],
  ],
  ['a missing content type', 415, (path) => post(path, '{"text":"planted"}', '')],
  ['text', 415, (path) => post(path, '{"text":"planted"}', 'Content-Type: text/plain\r\n')],
  ['a form', 415, (path) => post(path, 'text=planted', 'Content-Type: application/x-www-form-urlencoded\r\n')],
  ['a type that begins like JSON', 415, (path) => post(path, '{}', 'Content-Type: application/json-planted\r\n')],
  [
    'another charset',
    415,
    (path) => post(path, '{"text":"planted"}', 'Content-Type: application/json; charset="ISO-8859-1"\r\n'),
  ],
  ['a compressed body', 415, (path) => post(path, 'planted', `${json}Content-Encoding: gzip\r\n`)],
  ['a body without a type on DELETE', 415, (path) => [head(`DELETE ${path}/planted`, 'Content-Length: 2\r\n'), '{}']],
  ['a POST without length', 400, (path) => [head(`POST ${path}`, json)]],
  ['an empty body', 400, (path) => post(path, '')],
  ['an empty body in chunks', 400, (path) => chunked(path, '0\r\n\r\n')],
  ['nothing but space', 400, (path) => post(path, ' \n')],
  ['malformed JSON', 400, (path) => post(path, '{"text":"planted"')],
  ['something after the JSON', 400, (path) => post(path, '{"text":"a"} planted')],
  ['single quotes', 400, (path) => post(path, "{'text':'planted'}")],
  ['NaN', 400, (path) => post(path, '{"text":NaN}')],
  ['a control character in a string', 400, (path) => post(path, '{"text":"\n"}')],
  ['a zero byte', 400, (path) => post(path, '{"text":"a\0"}')],
  ['bytes that are not UTF-8', 400, (path) => post(path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))],
  ['UTF-16', 400, (path) => post(path, Buffer.from('\ufeff{"text":"planted"}', 'utf16le'))],
  ['null', 400, (path) => post(path, 'null')],
  ['a number', 400, (path) => post(path, '5')],
  ['a string', 400, (path) => post(path, '"planted"')],
  ['a list', 400, (path) => post(path, '[{"text":"planted"}]')],
  ['a wrong type in a field', 400, (path) => post(path, '{"text":{"planted":1}}')],
  ['more levels than the limit', 400, (path) => post(path, deep(33))],
  ['more keys than the limit', 400, (path) => post(path, manyKeys(21))],
  [
    'a key that sets the prototype, at any depth',
    400,
    (path) => post(path, '{"text":"a","x":[{"y":{"__proto__":{"planted":1}}}]}'),
  ],
  [
    'the same key written with escapes',
    400,
    (path) => post(path, '{"text":"a","x":[{"\\u005f\\u005fproto__":{"planted":1}}]}'),
  ],
  [
    'constructor.prototype, at any depth',
    400,
    (path) => post(path, '{"text":"a","x":[{"constructor":{"prototype":{"planted":1}}}]}'),
  ],
  ['a number that is too large', 400, (path) => post(path, '{"text":"a","n":1e999}')],
  [
    'a body with too large a length, still being sent',
    413,
    (path) => [head(`POST ${path}`, `${json}Content-Length: 2001\r\n`), '{'],
  ],
  [
    'a body in chunks that becomes too large, still being sent',
    413,
    (path) => chunked(path, `fff\r\n${'x'.repeat(0xfff)}\r\n`),
  ],
  [
    'a body in tiny chunks, still being sent, which cost more than their bytes',
    413,
    (path) => chunked(path, tiny('x'.repeat((2 * smallLimits.bodyBytes) / 32 + 1))),
  ],
  ['a failure of our own', 500, (path) => [head(`DELETE ${path}/planted`)]],
  ['an invalid chunk', 400, (path) => chunked(path, 'planted\r\n')],
];

it.each(refusals)('refuses %s with %d, in the style of the path, on every listener', (_what, status, pieces) =>
  everywhere(async (place) => {
    expectError(await ask(place, pieces(place.path)), status, place.style);
  }),
);

it('answers 503 with Retry-After when a store is away, in the style of the path, on every listener', async () => {
  const away = await startNotes({ isAway: (error) => error instanceof Error && error.message === 'planted' });
  try {
    await everywhere(async (place) => {
      const answer = await ask(place, [head(`DELETE ${place.path}/planted`)]);
      expectError(answer, 503, place.style);
      expect(answer.headers['retry-after']).toBe('1');
    }, away);
  } finally {
    await away.stop();
  }
});

const unread: readonly Row[] = [
  ['a method in small letters', 400, (path) => [head(`get ${path}`)]],
  ['an invalid method', 400, (path) => [head(`PLANTED ${path}`)]],
  ['a space in the address', 400, (path) => [head(`GET ${path} planted`)]],
  ['an address that is not ASCII', 400, (path) => [head(`GET ${path}/plantéd`)]],
  ['a path that does not begin with a slash', 400, (path) => [head(`GET ${path.slice(1)}`)]],
  ['a folded header', 400, (path) => [head(`GET ${path}`, 'X-A: planted\r\n planted\r\n')]],
  ['a space before the colon', 400, (path) => [head(`GET ${path}`, 'X-Planted : a\r\n')]],
  ['lines without carriage return', 400, (path) => [`GET ${path} HTTP/1.1\nHost: a\n\n`]],
  ['a zero byte in a header', 400, (path) => [head(`GET ${path}`, 'X-A: planted\0\r\n')]],
  ['two lengths', 400, (path) => [head(`POST ${path}`, `${json}Content-Length: 2\r\nContent-Length: 3\r\n`), '{}']],
  [
    'a length beside chunks',
    400,
    (path) => [
      head(`POST ${path}`, `${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`),
      '2\r\n{}\r\n0\r\n\r\n',
    ],
  ],
  ['an invalid length', 400, (path) => [head(`POST ${path}`, `${json}Content-Length: -2\r\n`), '{}']],
  ['headers that are too large', 431, (path) => [head(`GET ${path}`, `X-Planted: ${'x'.repeat(7_000)}\r\n`)]],
  ['an address larger than all headers may be', 431, (path) => [head(`GET ${path}?${'x'.repeat(7_000)}`)]],
  ['HTTP/2 without asking', 400, () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['TLS', 400, () => [Buffer.from('16030100a5010000a10303', 'hex')]],
];

it.each(unread)(
  'refuses %s with %d on every listener, although it is not a readable request',
  (_what, status, pieces) =>
    everywhere(async (place) => {
      const answer = await ask(place, pieces(place.path));
      expectError(answer, status, 'dsr');
      expect(answer.headers.connection).toBe('close');
    }),
);

const nowhere: readonly Row[] = [
  ['two slashes at the beginning', 404, (path) => [head(`GET /${path}`)]],
  ['another case', 404, (path) => [head(`GET ${path.toUpperCase()}`)]],
];

it.each(nowhere)('has no route at %s: %d', (_what, status, pieces) =>
  everywhere(async (place) => {
    expectError(await ask(place, pieces(place.path)), status, 'dsr');
  }),
);

const slow: readonly Row[] = [
  ['a body that never ends', 408, (path) => [head(`POST ${path}`, `${json}Content-Length: 20\r\n`), '{"planted']],
  ['chunks that never end', 408, (path) => chunked(path, '9\r\n{"planted')],
];
const slower: readonly Row[] = [
  ['headers that never end', 408, (path) => [`GET ${path} HTTP/1.1\r\nX-Planted: planted\r\n`]],
  ['silence', 408, () => ['']],
];

it('ends slow headers and bodies with 408 on every listener', async () => {
  const cut = (rows: readonly Row[], styleOf: (place: Place) => string) =>
    rows.map(([, status, pieces]) =>
      everywhere(async (place) => {
        const answer = await ask(place, pieces(place.path));
        expectError(answer, status, styleOf(place));
        expect(answer.headers.connection).toBe('close');
      }, hasty),
    );
  await Promise.all([...cut(slow, ({ style }) => style), ...cut(slower, () => 'dsr')]);
});

const taken: readonly Row[] = [
  ['HEAD where there is a GET, without the body', 200, (path) => [head(`HEAD ${path}`)]],
  ['a slash at the end', 200, (path) => [head(`GET ${path}/`)]],
  ['the whole address in the request line', 200, (path) => [head(`GET http://planted.example:99${path}?x=1`)]],
  ['HTTP/1.0 without a Host', 200, (path) => [`GET ${path} HTTP/1.0\r\n\r\n`]],
  ['an empty Host', 200, (path) => [`GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`]],
  ['any query that can be decoded', 200, (path) => [head(`GET ${path}?&&=&a=%7a+z&__proto__=1&a[b]=2?x=1#y`)]],
  ['a parameter of zero bytes', 200, (path) => [head(`GET ${path}/%00`)]],
  ['an encoded letter', 200, (path) => [head(`GET ${path.replace('v', '%76')}`)]],
  ['an empty line before the request', 200, (path) => [`\r\n${head(`GET ${path}`)}`]],
  [
    'an upgrade to WebSocket',
    200,
    (path) => [head(`GET ${path}`, 'Upgrade: websocket\r\n').replace('close', 'close, Upgrade')],
  ],
  [
    'an offer of HTTP/2 beside a body, as Java makes it',
    201,
    (path) =>
      post(
        path,
        '{"text":"a"}',
        `${json}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`,
      ),
  ],
  [
    'a body of a GET, which is ignored',
    200,
    (path) => [head(`GET ${path}`, 'Content-Type: text/plain\r\nContent-Length: 2\r\n'), 'xx'],
  ],
  ['a byte order mark before the JSON', 201, (path) => post(path, '\ufeff{"text":"a"}')],
  ['a body that names no coding', 201, (path) => post(path, '{"text":"a"}', `${json}Content-Encoding: identity\r\n`)],
  [
    'the charset in capitals and quotes',
    201,
    (path) => post(path, '{"text":"a"}', 'Content-Type: APPLICATION/JSON ;charset="UTF-8"\r\n'),
  ],
  [
    'chunks with an extension and a trailer',
    201,
    (path) => chunked(path, 'c;a=b\r\n{"text":"a"}\r\n0\r\nX-A: b\r\n\r\n'),
  ],
  ['a short body in tiny chunks', 201, (path) => chunked(path, `${tiny('{"text":"a"}')}0\r\n\r\n`)],
  ['a key twice', 201, (path) => post(path, '{"text":1,"text":"last"}')],
  ['a zero byte written as an escape', 201, (path) => post(path, '{"text":"\\u0000"}')],
  ['a lone surrogate written as an escape', 201, (path) => post(path, '{"text":"\\ud800"}')],
  ['as many levels as the limit', 201, (path) => post(path, deep(32))],
  [
    'as many keys as the limit, and colons in strings',
    201,
    (path) => post(path, manyKeys(20).replace('"a"', '":::\\":"')),
  ],
  ['a field named constructor', 201, (path) => post(path, '{"text":"a","constructor":1}')],
];

it.each(taken)('accepts %s, with %d', (_what, status, pieces) =>
  everywhere(async (place) => {
    const answer = await ask(place, pieces(place.path));
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  }),
);

it('puts a body as long as the limit together from its pieces', async () => {
  const [text, pieceBytes] = ['0123456789'.repeat(198), 99];
  const body = `{"text":"${text}"}`.padEnd(smallLimits.bodyBytes);
  const pieces = body.match(new RegExp(`.{1,${pieceBytes}}`, 'g')) ?? [];
  const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
  for (const sent of [chunked('/v2/notes', `${chunks}0\r\n\r\n`), post('/v2/notes', body)])
    expect(JSON.parse((await ask(notes.places[0], sent)).body)).toEqual({ text });
});

it('uses the last of repeated keys, as JSON.parse does', async () => {
  expect(JSON.parse((await ask(notes.places[0], post('/v2/notes', '{"text":1,"text":"last"}'))).body)).toEqual({
    text: 'last',
  });
});

it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'PATCH', 'PUT', 'SUBSCRIBE'])(
  'answers the method %s with 405 and the methods of the address, on every listener',
  (method) =>
    everywhere(async (place) => {
      for (const [path, allow] of [
        [place.path, 'GET, HEAD, POST'],
        [`${place.path}/`, 'GET, HEAD, POST'],
        [`${place.path}/planted`, 'DELETE, GET, HEAD'],
        [`http://a${place.path}`, 'GET, HEAD, POST'],
        [place.path.replace('v', '%76'), 'GET, HEAD, POST'],
      ]) {
        const answer = await ask(place, [head(`${method} ${path}`)]);
        expectError(answer, 405, place.style);
        expect([path, answer.headers.allow]).toEqual([path, allow]);
      }
    }),
);

it('answers CONNECT and OPTIONS * with 405 and every method of the listener, and opens no tunnel', async () => {
  for (const line of ['CONNECT planted.example:443', 'OPTIONS *']) {
    const answer = await ask(notes.places[0], [head(line)]);
    expectError(answer, 405, 'dsr');
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD, POST');
  }
});

it('answers HEAD with the headers of GET and no body, also for errors', async () => {
  const [get, noBody] = [
    await ask(notes.places[0], [head('GET /v2/notes/ab')]),
    answersIn(`${await rawExchange(notes.publicPort, head('HEAD /v2/notes/ab'))}`),
  ];
  expect(noBody[0]).toMatchObject({
    status: 200,
    body: '',
    headers: { 'content-length': get.headers['content-length'] },
  });
  expect(await rawExchange(notes.publicPort, head('HEAD /nowhere'))).toMatch(/^HTTP\/1\.1 404 [^]*\r\n\r\n$/);
});

describe('a caller that waits for 100 Continue', () => {
  const waiting = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${json}Expect: 100-continue\r\nContent-Length: ${length}\r\n`;

  it('gets it', async () => {
    expect(
      await rawExchange(notes.publicPort, `${waiting('/v2/notes', 12)}Connection: close\r\n\r\n`, '{"text":"a"}'),
    ).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it.each([
    ['/v2/notes', 3_000, 413],
    ['/nowhere', 2, 404],
  ])(
    'of %s with %d bytes gets %d instead and a closed connection, as the body may not follow',
    async (path, length, status) => {
      const answer = await ask(notes.places[0], [`${waiting(path, length)}\r\n`]);
      expectError(answer, status, 'dsr');
      expect(answer.headers.connection).toBe('close');
    },
  );
});

describe('a connection that is kept', () => {
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
  const statuses = async (text: string) =>
    answersIn(await rawExchange(notes.publicPort, text)).map(({ status }) => status);

  it('answers pipelined requests in order, refusals included', async () => {
    const bad = `POST /v2/notes HTTP/1.1\r\nHost: a\r\n${json}Content-Length: 1\r\n\r\n{`;
    const text415 = 'POST /v2/notes HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc';
    expect(
      await statuses(get('/v2/notes') + bad + get('/nowhere') + text415 + get('/v2/notes/%zz') + head('GET /v2/notes')),
    ).toEqual([200, 400, 404, 415, 400, 200]);
  });

  it('answers all complete requests before the one that is not HTTP', async () => {
    expect(await statuses(`${get('/v2/notes')}${get('/v2/notes/a')}planted\r\n\r\n`)).toEqual([200, 200, 400]);
  });

  it('answers once if the rest of a refused body never arrives', async () => {
    const answers = answersIn(
      await rawExchange(hasty.publicPort, `POST /nowhere HTTP/1.1\r\nHost: a\r\n${json}Content-Length: 9\r\n\r\n{`),
    );
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });
});

it('keeps idle connections for the configured time and announces it', async () => {
  const [answer] = answersIn(
    await rawExchange(
      notes.publicPort,
      'GET /v2/notes HTTP/1.1\r\nHost: a\r\n\r\nGET /v2/notes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ),
  );
  expect(answer?.headers['keep-alive']).toBe('timeout=72');
});

it('does not reset the connection of a caller that still sends: it reads the answer', async () => {
  const big = Buffer.alloc(4_000_000, 'x');
  for (const framing of [`Content-Length: ${big.length}\r\n`, 'Transfer-Encoding: chunked\r\n']) {
    const body = framing.startsWith('T') ? [`${big.length.toString(16)}\r\n`, big, '\r\n0\r\n\r\n'] : [big];
    const { answer, failure } = await sendAll(notes.publicPort, [
      `POST /v2/notes HTTP/1.1\r\nHost: a\r\n${json}${framing}\r\n`,
      ...body,
    ]);
    expect(answersIn(answer).map(({ status, headers }) => [status, headers.connection])).toEqual([[413, 'close']]);
    expect(failure).toBeUndefined();
  }
});
