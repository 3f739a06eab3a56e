import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from './api-error';
import { answerInstead, answerOnSocket, errorOfClient, type Exchange } from './client-error';
import type { ErrorStyle } from './error-body';
import { destroyInTime } from './linger';
import { pathOf } from './path-of';

export interface ConnectionErrorOptions {
  readonly errorStyle: (path: string | undefined) => ErrorStyle;
  /** What a caller is told who asks for a tunnel. */
  readonly noTunnel: (server: Server) => ApiError;
  /** Called with every request before anything else is done with it. */
  readonly onBegin: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called when a connection is told an error on which there is no request to answer. */
  readonly onRefused: (status: number) => void;
  readonly route: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * What Node leaves to whoever runs a server: broken requests, expectations and tunnels. Every connection ends with an
 * answer in the error body.
 */
export class ConnectionErrors {
  private readonly latestExchange = new WeakMap<Socket, Exchange>();
  private readonly broken = new WeakSet<Socket>();
  private readonly awaitingContinue = new WeakSet<IncomingMessage>();
  private readonly withUnknownExpectation = new WeakSet<IncomingMessage>();

  constructor(private readonly options: ConnectionErrorOptions) {}

  attach(server: Server): void {
    const begin = (kind?: WeakSet<IncomingMessage>) => (request: IncomingMessage, response: ServerResponse) => {
      kind?.add(request);
      this.latestExchange.set(request.socket, { request, response });
      this.options.onBegin(request, response);
      if (kind) this.options.route(request, response);
    };
    server.prependListener('request', begin());
    server.on('checkContinue', begin(this.awaitingContinue));
    server.on('checkExpectation', begin(this.withUnknownExpectation));
    server.on('connect', (request, socket) => {
      this.refuseTunnel(socket as Socket, this.options.noTunnel(server), this.options.errorStyle(request.url));
    });
  }

  /** Whether a request asks for something that HTTP does not know (`Expect`). */
  hasUnknownExpectation(request: IncomingMessage): boolean {
    return this.withUnknownExpectation.has(request);
  }

  /** Whether the caller waits to be told that its body is wanted. */
  awaitsContinue(request: IncomingMessage): boolean {
    return this.awaitingContinue.has(request);
  }

  /** Asks a caller who waits for its body. */
  sendContinue(request: IncomingMessage, response: ServerResponse): void {
    if (this.awaitingContinue.delete(request)) response.writeContinue();
  }

  /** Answers what is wrong on a connection, once: as the answer to the request that it is a part of, or after all answers that are due. */
  clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    const latest = this.latestExchange.get(socket);
    if (latest && !latest.request.complete)
      answerInstead(latest, errorOfClient(error), this.options.errorStyle(pathOf(latest.request.url)));
    else this.answerLast(socket, errorOfClient(error), this.options.errorStyle(undefined));
  }

  /**
   * Node gives this socket away without its own listeners: unheard, a reset would end the process, and nothing else
   * closes the connection or reads from it.
   */
  private refuseTunnel(socket: Socket, answer: ApiError, style: ErrorStyle): void {
    socket.on('error', () => undefined).resume();
    destroyInTime(socket);
    this.answerLast(socket, answer, style);
  }

  /** Answers after all answers that are due on a connection. Node keeps them in order, so that the latest comes last. */
  private answerLast(socket: Socket, answer: ApiError, style: ErrorStyle): void {
    const response = this.latestExchange.get(socket)?.response;
    const answerNow = (): void => {
      if (socket.writable) this.options.onRefused(answer.status);
      answerOnSocket(socket, answer, style);
    };
    if (response && !response.writableFinished) response.once('finish', answerNow);
    else answerNow();
  }
}
