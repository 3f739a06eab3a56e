import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long a connection is still read, in milliseconds, after an answer that came before the end of what was sent. */
export const lingerMs = 2_000;

/** Whether a request announces a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/**
 * Lets a caller who is still sending read the answer. A connection that is closed with bytes unread is reset, and many clients report the
 * reset instead of the answer; so the rest is read and thrown away for a while.
 */
export function lingerAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  // Requests that a test puts in have no connection.
  if (!(socket instanceof Socket)) return;
  const closeNow = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) {
      closeNow();
      return;
    }
    socket.end();
    const limit = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => {
      clearTimeout(limit);
    });
    request.once('end', closeNow).resume();
  };
}
