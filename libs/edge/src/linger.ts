import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long a connection is still read, in milliseconds, after an answer that came before the end of what was sent. */
const lingerMs = 2_000;

/** Whether a request announces a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Closes a connection in a while, whatever is still on its way; nobody waits for longer on one that is at its end. */
export function destroyInTime(socket: Socket): void {
  const limit = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(limit);
  });
}

/** The latest request of each connection that was answered before its body had come. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>();

/**
 * Lets a caller who is still sending read the answer. A connection that is closed with bytes unread is reset, and many clients report the
 * reset instead of the answer; so the rest is read and thrown away for a while.
 */
export function lingerAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  // Requests that a test puts in have no connection.
  if (!(socket instanceof Socket)) return;
  // A connection may be kept for any number of requests, so it is changed once.
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
