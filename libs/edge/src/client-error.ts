import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorOfStatus } from './api-error';
import { errorBytes, type ErrorStyle } from './error-body';
import { jsonContentType } from './send-json';

const statusOf: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Node keeps the answer in progress here; after its headers a second answer would be taken for a part of the first. */
interface HttpSocket extends Socket {
  _httpMessage?: { headersSent?: boolean } | null;
}

/** Answers what never became a request (headers too large or too slow, no HTTP at all) with the error body, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, style: ErrorStyle): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (socket as HttpSocket)._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const answer = errorOfStatus(statusOf[error.code ?? ''] ?? 400);
  const body = errorBytes(answer, style);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `content-type: ${jsonContentType}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
