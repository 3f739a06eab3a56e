import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from './api-error';
import { answerInstead, answerOnSocket, errorOfClient, type Exchange } from './client-error';
import type { ErrorStyle } from './error-body';
import { destroyInTime } from './linger';
import { pathOf } from './path-of';

interface ConnectionErrorOptions {
  readonly errorStyle: (path: string | undefined) => ErrorStyle;
  readonly noTunnel: (server: Server) => ApiError;
  readonly onBegin: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onRefused: (status: number) => void;
  readonly route: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Answers what Node leaves to the application: broken requests, expectations and tunnels. */
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

  hasUnknownExpectation(request: IncomingMessage): boolean {
    return this.withUnknownExpectation.has(request);
  }

  awaitsContinue(request: IncomingMessage): boolean {
    return this.awaitingContinue.has(request);
  }

  sendContinue(request: IncomingMessage, response: ServerResponse): void {
    if (this.awaitingContinue.delete(request)) response.writeContinue();
  }

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

  /** Node removes its own listeners from this socket: an unhandled reset would end the process. */
  private refuseTunnel(socket: Socket, answer: ApiError, style: ErrorStyle): void {
    socket.on('error', () => undefined).resume();
    destroyInTime(socket);
    this.answerLast(socket, answer, style);
  }

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
