import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** The caller left before the answer was whole. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/**
 * Streams an answer; rejects with the error of the stream, or with CallerGone. For HEAD it closes the stream unread. The
 * handler must take `@Res()`.
 */
export async function sendStream(reply: FastifyReply, stream: Readable): Promise<void> {
  const broken: unknown[] = [];
  const answer = reply.request.method === 'HEAD' ? emptyInPlaceOf(stream) : stream;
  // Before the answer begins, Fastify passes the error to the error handler.
  answer.once('error', (error) => {
    if (reply.raw.headersSent) broken.push(error);
  });
  await reply.send(answer);
  if (broken.length > 0) throw broken[0];
  if (reply.raw.destroyed && !reply.raw.writableFinished) throw new CallerGone();
}

/** Fastify reads what a HEAD does not send to its end, as fast as it comes. */
function emptyInPlaceOf(unread: Readable): Readable {
  unread.once('error', () => undefined).destroy();
  return Readable.from([]);
}
