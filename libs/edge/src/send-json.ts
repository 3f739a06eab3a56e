import type { FastifyReply } from 'fastify';

/** The space matters: strict clients split there. */
export const jsonContentType = 'application/json; charset=utf-8';

export const edgeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Answers with exactly these bytes, as JSON unless the headers name another type. The handler must take `@Res()`. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  void reply.code(status).header('content-type', jsonContentType).headers(headers).send(bytes);
}

/** Answers with this value as JSON. */
export const sendAnswer = (
  reply: FastifyReply,
  status: number,
  answer: unknown,
  headers?: Readonly<Record<string, string>>,
): void => {
  sendJson(reply, status, Buffer.from(JSON.stringify(answer)), headers);
};
