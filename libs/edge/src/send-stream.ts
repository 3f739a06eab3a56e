import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** The caller left before the answer was whole. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Streams an answer; rejects with the error of the stream, or with CallerGone. The handler must take `@Res()`. */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  const broken: unknown[] = [];
  // Before the answer begins, Fastify passes the error to the error handler.
  stream.once('error', (error) => {
    if (reply.raw.headersSent) broken.push(error);
  });
  await reply.send(stream);
  if (broken.length > 0) throw broken[0];
  if (reply.raw.destroyed && !reply.raw.writableFinished) throw new CallerGone();
}
