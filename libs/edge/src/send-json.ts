import type { FastifyReply } from 'fastify';

/** With the space after the semicolon: strict clients split there. */
export const jsonContentType = 'application/json; charset=utf-8';

/** Answers with exactly these bytes, so that what was signed is what is sent. The handler must take `@Res()`. */
export function sendJson(reply: FastifyReply, status: number, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): void {
  void reply.code(status).headers(headers).header('content-type', jsonContentType).send(bytes);
}
