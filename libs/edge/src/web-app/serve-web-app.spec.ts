import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createAdapter, type EdgeAdapter } from '../adapter';
import { defaultLimits } from '../limits';
import { filesIn } from './read-web-app';
import { serveWebApp } from './serve-web-app';

const PAGE = '<!doctype html><title>ü</title>';
let folder: string;
let adapter: EdgeAdapter;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'web-app-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets/index-1a2b.js'), 'export {};');
  writeFileSync(join(folder, '.vite/manifest.json'), '{}');
  adapter = createAdapter(defaultLimits);
  serveWebApp(adapter, { root: '/console', files: await filesIn(folder), made: { 'settings.json': { a: 1 } } });
  adapter.setErrorHandler();
  adapter.setNotFoundHandler();
  await adapter.getInstance().ready();
});
afterAll(async () => {
  await adapter.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => adapter.getInstance().inject({ url, headers });

it.each(['/console', '/console/', '/console/index.html', '/console/requests/acme/1?x=y', '/console/a.b/..%2f..%2fetc'])(
  'answers %s with the page, whose router knows what to show',
  async (path) => {
    const answer = await get(path);
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      PAGE,
    ]);
    expect(answer.headers['cache-control']).toBe('no-cache');
  },
);

it.each(['/console', '/console/index.html', '/console/requests/acme/1'])('takes no POST at %s', async (url) => {
  const answer = await adapter.getInstance().inject({ url, method: 'POST' });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
});

it('lets nothing run or load that is inline or of another host, and no frame hold it', async () => {
  for (const path of ['/console', '/console/assets/index-1a2b.js', '/console/settings.json']) {
    const { headers } = await get(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  }
});

it('serves assets for ever, and none that does not exist', async () => {
  const answer = await get('/console/assets/index-1a2b.js');
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  for (const path of ['/console/assets/other.js', '/console/assets/..%2fsecret', '/consoles'])
    expect((await get(path)).statusCode).toBe(404);
});

it('answers what a build keeps for itself with the page', async () => {
  expect((await get('/console/.vite/manifest.json')).body).toBe(PAGE);
});

it('compresses for who takes it, and answers 304 to the tag', async () => {
  const answer = await get('/console', { 'accept-encoding': 'br, gzip' });
  expect([answer.headers['content-encoding'], gunzipSync(answer.rawPayload).toString()]).toEqual(['gzip', PAGE]);
  const again = await get('/console', { 'if-none-match': String(answer.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

it('serves what the process makes, as JSON', async () => {
  expect((await get('/console/settings.json')).json()).toEqual({ a: 1 });
});
