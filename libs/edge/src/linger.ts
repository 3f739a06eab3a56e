import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

const lingerMs = 2_000;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

export function destroyInTime(socket: Socket): void {
  const limit = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(limit);
  });
}

const answeredEarly = new WeakMap<Socket, IncomingMessage>();

/** Discards the rest of a body for a while: a close with unread bytes resets the connection, and clients report only the reset. */
export function lingerAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  // Injected requests of tests have no connection.
  if (!(socket instanceof Socket)) return;
  if (!answeredEarly.has(socket)) closeLate(socket);
  answeredEarly.set(socket, request);
}

function closeLate(socket: Socket): void {
  const closeNow = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = answeredEarly.get(socket);
    if (!request || request.complete) {
      closeNow();
      return;
    }
    socket.end();
    destroyInTime(socket);
    request.once('end', closeNow).resume();
  };
}
