import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly openedAtMs: number;
  /** Requests that are not read to their end, and answers that are not sent to theirs. */
  unfinished: number;
  /** The bytes that had come when nothing was unfinished any more. Further ones are the beginning of a request. */
  bytesAtRest: number;
}

/** How long the first byte of a connection may take. Browsers, and `fetch` after a cancel, open some ahead. */
const silentMs = 500;

/**
 * The connections of a server. To Node's `closeIdleConnections` a connection is idle once its answer is written, although
 * bytes of that may wait for the caller to read.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();

  /** Make it when the server has its handlers, before it listens. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { openedAtMs: performance.now(), unfinished: 0, bytesAtRest: 0 });
      socket.once('close', () => this.open.delete(socket));
    });
    const begin = (request: IncomingMessage, response: ServerResponse): void => {
      this.begin(request, response);
    };
    // Node answers an expectation itself where nobody listens to it.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      if (server.listenerCount(event) > 0) server.prependListener(event, begin);
  }

  /** Closes those that have no request: all was answered, or nothing came for some time. */
  closeIdle(): void {
    const nowMs = performance.now();
    for (const [socket, { openedAtMs, unfinished, bytesAtRest }] of this.open) {
      const isWaiting = unfinished === 0 && socket.bytesRead === bytesAtRest;
      if (isWaiting && (bytesAtRest > 0 || nowMs - openedAtMs >= silentMs)) socket.destroy();
    }
  }

  /** Closes all, and returns their number. */
  closeAll(): number {
    const sockets = [...this.open.keys()];
    for (const socket of sockets) socket.destroy();
    return sockets.length;
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (!connection) return;
    const finish = (): void => {
      connection.unfinished -= 1;
      connection.bytesAtRest = socket.bytesRead;
    };
    connection.unfinished += 2;
    request.once('close', finish);
    response.once('close', finish);
  }
}
