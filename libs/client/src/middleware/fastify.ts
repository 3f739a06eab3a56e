import { closing, rawBodyOf, type RequestStream } from './raw-body';
import { callbackReceiver, type CallbackHandler, type CallbackOptions } from './receive';

export interface FastifyRequestLike {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly raw: RequestStream;
}

export interface FastifyReplyLike {
  code(status: number): this;
  headers(values: Record<string, string>): this;
  send(): unknown;
}

export interface FastifyLike {
  readonly log: { error(error: unknown): void };
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null, body?: unknown) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

/**
 * A Fastify plugin: `app.register(fastifyCallbacks(options, handler), { prefix: '/callbacks' })`. Replaces the body
 * parsers within the plugin only.
 */
export function fastifyCallbacks(
  options: CallbackOptions,
  handler: CallbackHandler,
): (instance: FastifyLike) => Promise<void> {
  return (instance) => {
    const receive = callbackReceiver({ onError: (error) => instance.log.error(error), ...options }, handler);
    // Leaves the body a stream, for this plugin only.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
    instance.all('/', async ({ method, headers, raw }, reply) => {
      const answer = await receive({
        method,
        headers,
        read: (limitBytes) => rawBodyOf(raw, limitBytes, 'a hook of the application has read it'),
      });
      return reply
        .code(answer.status)
        .headers({ ...answer.headers, ...closing(raw) })
        .send();
    });
    return Promise.resolve();
  };
}
