import { closing, rawBodyOf, type RequestStream } from './raw-body';
import { callbackReceiver, warn, type CallbackHandler, type CallbackOptions } from './receive';

/** What is used of a request of `node:http`, of Express, or of Nest on either. */
export interface NodeRequest extends RequestStream {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly destroyed: boolean;
}

/** What is used of their responses. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(): unknown };
  destroy(): unknown;
}

/** A listener of `node:http`, which Express and Nest take as well. */
export type NodeCallbacks = (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;

/** Takes callbacks on a server of `node:http` or `node:https`: answers every request that it is given, with an empty body. */
export const nodeCallbacks = (options: CallbackOptions, handler: CallbackHandler): NodeCallbacks =>
  listener(options, handler, 'hand the request over before anything else reads it');

/** Takes callbacks in Express: `app.use('/callbacks', expressCallbacks(options, handler))`, before `express.json()` is registered. */
export const expressCallbacks = (options: CallbackOptions, handler: CallbackHandler): NodeCallbacks =>
  listener(options, handler, 'register expressCallbacks before express.json(), or express.raw() for its path');

/** Takes callbacks in Nest, on either adapter: `consumer.apply(nestCallbacks(options, handler)).forRoutes('callbacks')`. On Express the application is created with `{ rawBody: true }`. */
export const nestCallbacks = (options: CallbackOptions, handler: CallbackHandler): NodeCallbacks =>
  listener(options, handler, 'create the application with { rawBody: true }');

function listener(options: CallbackOptions, handler: CallbackHandler, hint: string): NodeCallbacks {
  const receive = callbackReceiver(options, handler);
  return (request, response, next = (error) => failAlone(response, error, options)) => {
    receive({
      method: request.method,
      headers: request.headers,
      read: (limitBytes) => rawBodyOf(request, limitBytes, hint),
    })
      .then(
        ({ status, headers }) =>
          void response.writeHead(status, { ...headers, ...closing(request), 'content-length': '0' }).end(),
      )
      // Who hung up in the middle of a body needs no answer; anything else is a fault of the application, and its framework is told.
      .catch((error: unknown) => (request.destroyed && !request.complete ? response.destroy() : next(error)));
  };
}

function failAlone(response: NodeResponse, error: unknown, { onError = warn }: CallbackOptions): void {
  onError(error);
  response.writeHead(500, { 'content-length': '0' }).end();
}
