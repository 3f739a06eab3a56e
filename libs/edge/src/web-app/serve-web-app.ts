import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeAdapter } from '../adapter';
import { notFound } from '../api-error';
import { entityTag, namesTag } from '../entity-tag';
import { jsonContentType } from '../send-json';
import type { WebAppFiles } from './read-web-app';

const compress = promisify(gzip);

/** Nothing from another host, nothing inline, in nobody's frame. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"],
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The names of assets hold hashes of their contents. */
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: jsonContentType,
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

interface WebApp {
  /** Where it is, such as `/console`. */
  readonly root: string;
  readonly files: WebAppFiles;
  /** Further files that this process makes, as JSON. */
  readonly made?: Readonly<Record<string, object>>;
}

interface Shown {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  readonly plain: Buffer;
  /** Made when it is first asked for. */
  zipped?: Promise<Buffer>;
}

/**
 * Serves a built web application: files of `assets/` for ever, and its page for every other path, because its router knows them. Call
 * it before the instance is ready.
 */
export function serveWebApp(adapter: EdgeAdapter, { root, files, made = {} }: WebApp): void {
  const instance: FastifyInstance = adapter.getInstance();
  const shown = new Map([
    ...[...files].filter(([path]) => !path.startsWith('.')).map(([path, bytes]) => shownFile(path, bytes)),
    ...Object.entries(made).map(([path, content]) => shownFile(path, Buffer.from(JSON.stringify(content)))),
  ]);
  const page = shown.get(PAGE);
  const fileAt = (path: string): Shown | undefined =>
    shown.get(path) ?? (path.startsWith('assets/') ? undefined : page);
  instance.get(root, (request, reply) => show(page, request, reply));
  instance.get<{ Params: { '*': string } }>(`${root}/*`, (request, reply) =>
    show(fileAt(request.params['*']), request, reply),
  );
}

function shownFile(path: string, plain: Buffer): [string, Shown] {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const cacheControl = path.startsWith('assets/') ? FOREVER : ASK_AGAIN;
  return [path, { type, plain, etag: entityTag(plain), cacheControl }];
}

async function show(file: Shown | undefined, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!file) throw notFound();
  const { type, etag, cacheControl, plain } = file;
  reply.headers({ ...HEADERS, etag, 'cache-control': cacheControl, vary: 'accept-encoding' });
  if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', type);
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(plain);
  file.zipped ??= compress(plain);
  return reply.header('content-encoding', 'gzip').send(await file.zipped);
}
