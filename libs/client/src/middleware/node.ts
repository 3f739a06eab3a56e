import { closing, rawBodyOf, type RequestStream } from './raw-body';
import { callbackReceiver, quietly, warn, type CallbackHandler, type CallbackOptions } from './receive';

interface NodeRequest extends RequestStream {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly destroyed: boolean;
}

interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(): unknown };
  destroy(): unknown;
}

type NodeCallbacks = (request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void) => void;

/** For `node:http` and `node:https`; answers every request. */
export const nodeCallbacks = (options: CallbackOptions, handler: CallbackHandler): NodeCallbacks =>
  listener(options, handler, 'hand the request over before anything else reads it');

/** For Express: `app.use('/callbacks', expressCallbacks(options, handler))`, before `express.json()`. */
export const expressCallbacks = (options: CallbackOptions, handler: CallbackHandler): NodeCallbacks =>
  listener(options, handler, 'register expressCallbacks before express.json(), or express.raw() for its path');

/** For Nest: `consumer.apply(nestCallbacks(options, handler)).forRoutes('callbacks')`. On Express it needs `{ rawBody: true }`. */
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
      // A closed connection needs no answer; other errors go to the framework.
      .catch((error: unknown) => (request.destroyed && !request.complete ? response.destroy() : next(error)));
  };
}

function failAlone(response: NodeResponse, error: unknown, { onError = warn }: CallbackOptions): void {
  quietly(() => onError(error));
  response.writeHead(500, { 'content-length': '0' }).end();
}
