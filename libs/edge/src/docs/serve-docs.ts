import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeAdapter } from '../adapter';
import { notFound } from '../api-error';
import { entityTag, namesTag } from '../entity-tag';
import { jsonContentType } from '../send-json';
import type { ApiDocument } from './api-document';
import { DOCS_ROUTES } from './api-document';
import { PAGE, PAGE_POLICY, START_SCRIPT, startScript, SWAGGER_UI_FILES } from './page';
import { readSwaggerUi } from './swagger-ui';

interface Shown {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

type Source = () => Promise<Shown>;

const HOUR_SECONDS = 3_600;
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

const typeOf = (file: string): string => TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

function once(type: string, make: () => Promise<Buffer> | Buffer): Source {
  let shown: Promise<Shown> | undefined;
  const read = async (): Promise<Shown> => {
    const bytes = await make();
    return { type, bytes, etag: entityTag(bytes) };
  };
  return () => {
    shown ??= read().catch((error: unknown) => {
      shown = undefined;
      throw error;
    });
    return shown;
  };
}

async function show(source: Source | undefined, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (!source) throw notFound();
  const { type, bytes, etag } = await source();
  reply.headers({
    'cache-control': `public, max-age=${HOUR_SECONDS}`,
    etag,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': PAGE_POLICY,
  });
  return namesTag(request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : reply.header('content-type', type).send(bytes);
}

/** Serves each document at `/openapi/<name>.json` and one page for all at `/docs`. Call it before the instance is ready. */
export function serveDocs(adapter: EdgeAdapter, documents: readonly ApiDocument[]): void {
  if (documents.length === 0) return;
  const instance: FastifyInstance = adapter.getInstance();
  const page = once('text/html; charset=utf-8', () => Buffer.from(PAGE));
  const files = new Map<string, Source>([
    [START_SCRIPT, once(typeOf(START_SCRIPT), () => Buffer.from(startScript(documents)))],
    ...SWAGGER_UI_FILES.map((file): [string, Source] => [file, once(typeOf(file), () => readSwaggerUi(file))]),
  ]);
  const texts = new Map(
    documents.map(({ name, document }): [string, Source] => [
      `${name}.json`,
      once(jsonContentType, () => Buffer.from(JSON.stringify(document))),
    ]),
  );
  const [pageRoute, fileRoute, documentRoute] = DOCS_ROUTES;
  instance.get(pageRoute, (request, reply) => show(page, request, reply));
  instance.get<{ Params: { file: string } }>(fileRoute, (request, reply) =>
    show(files.get(request.params.file), request, reply),
  );
  instance.get<{ Params: { file: string } }>(documentRoute, (request, reply) =>
    show(texts.get(request.params.file), request, reply),
  );
}
