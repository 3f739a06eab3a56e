import { createAdapter, type EdgeAdapter } from '../adapter';
import { defaultLimits } from '../limits';
import { startScript, SWAGGER_UI_FILES } from './page';
import { serveDocs } from './serve-docs';

const documents = [
  { name: 'v2', title: 'Version 2', document: { openapi: '3.1.0', info: { title: 'ü' } } },
  { name: 'v1', title: 'Version 1', document: { openapi: '3.1.0' } },
];

/** Addresses of other hosts in text that a browser reads: with a scheme, or with the scheme of the page. */
const hostsIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?:(?:https?|wss?):|["'(=])\/\/([\w-]+(?:\.[\w-]+)+)/g)].map(([, host = '']) => host));

/**
 * Hosts that Swagger UI names but never calls: names of XML and JSON Schema vocabularies, links of documentation that a
 * reader may follow, and the validator that our page switches off. A new host fails this spec until it is reviewed.
 */
const NAMED_ONLY = new Set([
  ...[
    'www.w3.org',
    'json-schema.org',
    'spec.openapis.org',
    'swagger.io',
    'datatracker.ietf.org',
    'www.rfc-editor.org',
    'spdx.org',
    'example.com',
  ],
  ...[
    'github.com',
    'reactjs.org',
    'redux.js.org',
    'fb.me',
    'vladimirgorej.com',
    'instagram.com',
    'soundcloud.com',
    'twitter.com',
    'www.facebook.com',
    'www.tiktok.com',
  ],
  'validator.swagger.io',
]);

let adapter: EdgeAdapter;
beforeAll(async () => {
  adapter = createAdapter(defaultLimits);
  serveDocs(adapter, documents);
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  await adapter.getInstance().ready();
});
afterAll(() => adapter.close());

const get = (url: string, headers: Record<string, string> = {}) => adapter.getInstance().inject({ url, headers });

it('serves each document as cacheable JSON in UTF-8, and answers 304 to its tag', async () => {
  const answer = await get('/openapi/v2.json');
  expect([answer.statusCode, answer.headers['content-type'], answer.json()]).toEqual([
    200,
    'application/json; charset=utf-8',
    documents[0]?.document,
  ]);
  expect(answer.headers['cache-control']).toBe('public, max-age=3600');
  const again = await get('/openapi/v2.json', { 'if-none-match': String(answer.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

it('answers 304 without a length to HEAD too, for it would be that of the document', async () => {
  const head = (headers: Record<string, string> = {}) =>
    adapter.getInstance().inject({ method: 'HEAD', url: '/openapi/v2.json', headers });
  const { statusCode, headers } = await head();
  expect([statusCode, Number(headers['content-length'])]).toEqual([
    200,
    (await get('/openapi/v2.json')).body.length + 1,
  ]);
  const again = await head({ 'if-none-match': String(headers.etag) });
  expect([again.statusCode, again.headers.etag, again.headers['content-length']]).toEqual([
    ...[304, headers.etag, undefined],
  ]);
});

it.each([
  '/openapi/v3.json',
  '/openapi/v2',
  '/docs/absent.js',
  '/docs/swagger-ui-bundle.js.map',
  '/docs/..%2Fpackage.json',
])('serves nothing else: %s is 404 in the error body', async (path) => {
  const answer = await get(path);
  expect([answer.statusCode, answer.json<{ code: number }>().code]).toEqual([404, 404]);
});

it.each(['/docs', '/docs/'])('shows one page at %s, which may load nothing from other hosts', async (path) => {
  const answer = await get(path);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'self'; img-src 'self' data:; /);
  expect(String(answer.headers['content-security-policy'])).not.toContain('unsafe');
});

it('names no other host in the page and its start script, and serves every file that they name', async () => {
  const page = (await get('/docs')).body;
  const script = await get('/docs/start.js');
  expect([...hostsIn(page), ...hostsIn(script.body)]).toEqual([]);
  expect(page).not.toMatch(/<script>|<style|\son\w+=/);
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(named).toHaveLength(SWAGGER_UI_FILES.length + 1);
  for (const path of named) expect((await get(path)).statusCode).toBe(200);
  for (const { name } of documents) expect(script.body).toContain(`"/openapi/${name}.json"`);
});

it.each(SWAGGER_UI_FILES)('%s calls no other host', async (file) => {
  const { rawPayload: bytes, headers } = await get(`/docs/${file}`);
  expect(headers['content-type']).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/);
  const text = file.endsWith('.png') ? '' : bytes.toString();
  if (file.endsWith('.css')) {
    expect(text).not.toMatch(/@import|url\((?!["']?data:)/);
    return;
  }
  expect([...hostsIn(text)].filter((host) => !NAMED_ONLY.has(host))).toEqual([]);
});

it('switches off the badge of a public validator', () => {
  expect(startScript(documents)).toContain('"validatorUrl":null');
});

it('serves nothing without a document', async () => {
  const without = createAdapter(defaultLimits);
  serveDocs(without, []);
  expect((await without.getInstance().inject('/docs')).statusCode).toBe(404);
  await without.close();
});
