import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Nobody takes the answer any more. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Streams an answer to its end. Rejects with what broke the stream once the answer had begun, which Fastify tells
 * nobody, and with CallerGone
 * where the caller did not wait for the end; the connection is closed then. The handler must take `@Res()`.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  const broken: unknown[] = [];
  // Before the answer has begun, Fastify hands the error to the error handler by itself.
  stream.once('error', (error) => {
    if (reply.raw.headersSent) broken.push(error);
  });
  await reply.send(stream);
  if (broken.length > 0) throw broken[0];
  if (reply.raw.destroyed && !reply.raw.writableFinished) throw new CallerGone();
}
