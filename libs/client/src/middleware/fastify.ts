import { closing, rawBodyOf, type RequestStream } from './raw-body';
import { callbackReceiver, type CallbackHandler, type CallbackOptions } from './receive';

interface FastifyRequestLike {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly raw: RequestStream;
}

interface FastifyReplyLike {
  code(status: number): this;
  headers(values: Record<string, string>): this;
  send(): unknown;
}

interface FastifyLike {
  readonly log: { error(error: unknown): void };
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null, body?: unknown) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

/** A Fastify plugin: `app.register(fastifyCallbacks(options, handler), { prefix: '/callbacks' })`. */
export function fastifyCallbacks(
  options: CallbackOptions,
  handler: CallbackHandler,
): (instance: FastifyLike) => Promise<void> {
  return (instance) => {
    const receive = callbackReceiver({ onError: (error) => instance.log.error(error), ...options }, handler);
    // The body stays a stream, in this plugin only.
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
