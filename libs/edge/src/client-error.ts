import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, errorOfStatus } from './api-error';
import { endCall } from './call-limiter';
import { errorBytes, errorContentType, type ErrorStyle } from './error-body';
import { destroyInTime, lingerAfterAnswer } from './linger';
import { edgeHeaders } from './send-json';
import { requestIdOf } from './request-id';

const statusOf: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

export const errorOfClient = (error: NodeJS.ErrnoException): ApiError =>
  errorOfStatus(statusOf[error.code ?? ''] ?? 400);

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const headOf = (
  answer: ApiError,
  { body, style }: { readonly body: Buffer; readonly style: ErrorStyle },
  requestId: string,
): Record<string, string> => ({
  ...edgeHeaders,
  ...answer.headers,
  'content-type': errorContentType(style),
  'content-length': String(body.length),
  'x-request-id': requestId,
  connection: 'close',
});

export function answerOnSocket(socket: Socket, answer: ApiError, style: ErrorStyle): void {
  if (!socket.writable) return;
  const body = errorBytes(answer, style);
  const lines = Object.entries(headOf(answer, { body, style }, requestIdOf({ headers: {} }))).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n`),
      body,
    ]),
  );
  destroyInTime(socket);
}

export function answerInstead({ request, response }: Exchange, answer: ApiError, style: ErrorStyle): void {
  if (response.headersSent) {
    request.socket.destroy();
    return;
  }
  const body = errorBytes(answer, style);
  // Where the connection ends before this answer's turn, no hook of the call runs.
  endCall(request);
  lingerAfterAnswer(request);
  response.writeHead(answer.status, headOf(answer, { body, style }, requestIdOf(request))).end(body);
}
