import { until } from '../receiver/until';
import { json, raw, requestBody, type Answer } from './controller';
import type { Service } from './service';
import { expectError, wire } from './wire';
import type { Rule } from './world';

/** Where both kinds of error bodies are answered. */
interface Place {
  readonly url: string;
  readonly path: string;
  readonly isDsr: boolean;
}

const placesOf = ({ baseUrls, baseUrlsV1, ingestUrl }: Service): Place[] => [
  ...baseUrls.map((url) => ({ url, path: '/v2/requests', isDsr: true })),
  ...baseUrlsV1.map((url) => ({ url, path: '/v1/opengdpr_requests', isDsr: true })),
  { url: ingestUrl, path: '/v1/identify', isDsr: false },
];

const authorization = ({ key, secret }: Service): string =>
  `Authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}\r\n`;
const type = 'Content-Type: application/json\r\n';

const deep = `{"a":${'['.repeat(32)}${']'.repeat(32)}}`;
const wide = `{${Array.from({ length: 12_001 }, (_, at) => `"k${at}":0`).join(',')}}`;

/** The line, headers and body of a refused call. The head gets Host, credentials and `Connection: close`. */
const refused: readonly (readonly [
  what: string,
  status: number,
  method: string,
  pathMore: string,
  headers: string,
  body?: string,
])[] = [
  ['an unknown address', 404, 'GET', '/planted/planted', ''],
  ['a path that is not UTF-8', 400, 'GET', '/planted%E4', ''],
  ['a query that is not UTF-8', 400, 'GET', '?planted=%zz', ''],
  ['a wrong method', 405, 'PUT', '', type, '{"planted":1}'],
  ['an address that is too long', 414, 'POST', `?${'x'.repeat(8_200)}`, ''],
  ['too many headers', 431, 'POST', '', 'X-Planted: planted\r\n'.repeat(210)],
  ['two Authorization headers', 400, 'POST', '', `${type}Authorization: Basic planted\r\n`, '{}'],
  ['an unknown expectation', 417, 'POST', '', `${type}Expect: planted\r\n`, '{}'],
  ['a form', 415, 'POST', '', 'Content-Type: application/x-www-form-urlencoded\r\n', 'a=planted'],
  ['no content type', 415, 'POST', '', '', '{}'],
  ['another charset', 415, 'POST', '', 'Content-Type: application/json; charset=latin1\r\n', '{}'],
  ['a compressed body', 415, 'POST', '', `${type}Content-Encoding: gzip\r\n`, 'planted'],
  ['malformed JSON', 400, 'POST', '', type, '{"planted'],
  ['an empty body', 400, 'POST', '', type, ''],
  ['a list', 400, 'POST', '', type, '["planted"]'],
  ['__proto__', 400, 'POST', '', type, '{"a":[{"__proto__":{"planted":1}}]}'],
  ['33 levels', 400, 'POST', '', type, deep],
  ['10,001 keys', 400, 'POST', '', type, wide],
  ['1e999', 400, 'POST', '', type, '{"a":1e999}'],
];

/** How HTTP is read, on the real processes. Every further row of it is in the specs of libs/edge. */
export function edgeRules(rule: Rule): void {
  rule(
    'invalid HTTP and JSON are refused in the error body of their path, which repeats nothing of them',
    async ({ service }) => {
      for (const { url, path, isDsr } of placesOf(service)) {
        const answers = refused.map(async ([what, status, method, more, headers, body]) => {
          const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
          const answer = await wire(
            url,
            `${method} ${path}${more} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${authorization(service)}${headers}${length}\r\n${body ?? ''}`,
          );
          expect([what, answer.status]).toEqual([what, status]);
          expectError(answer, status, isDsr || more.startsWith('/'));
        });
        await Promise.all(answers);
      }
    },
  );

  rule(
    'a body that is too large is answered before its end, with or without a length, and the connection closes',
    async ({ service }) => {
      for (const { url, path, isDsr } of placesOf(service)) {
        for (const [framing, rest] of [
          ['Content-Length: 99000000', 'x'],
          ['Transfer-Encoding: chunked', `fffff\r\n${'x'.repeat(0xfffff)}\r\n`],
        ] as const) {
          const text = `POST ${path} HTTP/1.1\r\nHost: a\r\n${authorization(service)}${type}${framing}\r\n\r\n${rest}`;
          // A connection that is closed while more of the body comes may take the answer with it.
          const answer = await until('an answer that arrives', async () => {
            const arrived = await wire(url, text);
            return arrived.head !== '' && arrived;
          });
          expectError(answer, 413, isDsr);
          expect(answer.head).toMatch(/connection: close/i);
        }
      }
    },
  );

  rule('text that is no HTTP request is answered in an error body too, and CONNECT is refused', async ({ service }) => {
    for (const [status, line] of [
      [400, 'get /v2/requests HTTP/1.1'],
      [400, 'PLANTED / HTTP/1.1'],
      [405, 'CONNECT planted.example:443 HTTP/1.1'],
      [400, 'planted'],
    ] as const) {
      const answer = await wire(service.baseUrls[0] ?? '', `${line}\r\nHost: planted\r\n\r\n`);
      expectError(answer, status, true);
    }
  });

  rule(
    'a wrong method gets the list of allowed ones; HEAD is GET without the body',
    async ({ service, controller }) => {
      const [url = ''] = service.baseUrls;
      const allowed = async (method: string, address: string) =>
        (await fetch(address, { method })).headers.get('allow');
      expect(await allowed('PUT', `${url}/v2/requests/`)).toBe('GET, HEAD, POST');
      expect(await allowed('OPTIONS', `${service.baseUrlsV1[0] ?? ''}/v1/opengdpr_requests/x`)).toBe(
        'DELETE, GET, HEAD',
      );
      const created = await controller.create(
        requestBody({
          subject_request_type: 'portability',
          subject_identities: [raw('email', `${Date.now()}@example.com`)],
        }),
      );
      const path = `/v2/requests/${json<{ subject_request_id: string }>(created).subject_request_id}`;
      const headers = { authorization: `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}` };
      const answer = await fetch(url + path, { method: 'HEAD', headers });
      expect([
        answer.status,
        answer.headers.get('cache-control'),
        Number(answer.headers.get('content-length')) > 100,
        await answer.text(),
      ]).toEqual([200, 'no-store', true, '']);
    },
  );

  rule('a valid X-Request-Id is returned', async ({ service }) => {
    const answer = await fetch(`${service.baseUrls[0]}/v2/discovery`, {
      headers: { 'x-request-id': 'from-the-caller:1' },
    });
    expect(answer.headers.get('x-request-id')).toBe('from-the-caller:1');
  });

  rule('an answer names a hundred of a thousand faults, and that there are more', async ({ controller }) => {
    const identities = Array.from({ length: 1_000 }, () => ({
      identity_type: 'planted',
      identity_value: 'planted',
      identity_format: 'raw',
    }));
    const answer: Answer = await controller.create(requestBody({ subject_identities: identities }));
    const { errors } = json<{ errors: { message: string }[] }>(answer);
    expect([answer.status, errors.length]).toEqual([400, 101]);
    expect(errors.at(-1)?.message).toBe('There are more faults, which are not named.');
    expect(JSON.stringify(errors)).not.toContain('planted');
  });

  rule('only the admin listeners serve health, and they serve no public route', async ({ service }) => {
    for (const url of [...service.baseUrls, ...service.baseUrlsV1, service.ingestUrl])
      expect((await fetch(`${url}/livez`)).status).toBe(404);
    for (const { adminUrl } of service.parts()) {
      for (const path of ['/v2/discovery', '/v2/requests', '/v1/identify'])
        expectError(
          await wire(adminUrl, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
          404,
          !path.endsWith('identify') || (await isDsrStyle(adminUrl, path)),
        );
      expectError(await wire(adminUrl, 'POST /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), 405, true);
    }
  });
}

/** The error style of a process under a path: processes without ingestion have only one. */
async function isDsrStyle(url: string, path: string): Promise<boolean> {
  return 'code' in ((await (await fetch(url + path)).json()) as object);
}
