import type { FastifyReply } from 'fastify';

/** With the space after the semicolon: strict clients split there. */
export const jsonContentType = 'application/json; charset=utf-8';

/**
 * On every answer that does not say otherwise: what is told of a request or a person is kept by no cache, and nothing
 * is taken for what it is not.
 */
export const edgeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Answers with exactly these bytes, so that what was signed is what is sent. The handler must take `@Res()`. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  void reply.code(status).headers(headers).header('content-type', jsonContentType).send(bytes);
}
