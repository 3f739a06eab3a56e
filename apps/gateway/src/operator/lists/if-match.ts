import {
  entityTag,
  preconditionFailed,
  preconditionRequired,
  sendJson,
  type ApiError,
  type ApiPart,
} from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';

const bytesOf = (answer: object): Buffer => Buffer.from(JSON.stringify(answer));

/** Sends an answer with its entity tag, which a change of what it shows names. */
export function sendTagged(reply: FastifyReply, answer: object, status = 200): void {
  const bytes = bytesOf(answer);
  sendJson(reply, status, bytes, { etag: entityTag(bytes) });
}

/** Sends a page with the entity tag of its whole list: a change that names any page is about the list as it was then. */
export function sendTaggedPage(reply: FastifyReply, page: object, list: object): void {
  sendJson(reply, 200, bytesOf(page), { etag: entityTag(bytesOf(list)) });
}

/**
 * Compares strongly (RFC 9110, 13.1.1): the caller decides on what it has read. `answer`: what it would read now. Throws a
 * 428 without `If-Match`, and a 412 where it names something else.
 */
export function expectUnchanged({ headers }: FastifyRequest, answer: object): void {
  const given = headers['if-match'];
  if (given === undefined) throw preconditionRequired();
  const tag = entityTag(bytesOf(answer));
  if (!given.split(',').some((one) => one.trim() === tag)) throw preconditionFailed();
}

/** What an answer with an entity tag has in the document. */
export const taggedHeaders: ApiPart = {
  ETag: {
    ...{ required: true, schema: { type: 'string' } },
    description: 'What `If-Match` of a change names, so that nobody decides on what has changed meanwhile.',
  },
};

/** The parameter of a change; `of` is where its tag comes from. */
export const ifMatchOf = (of: string): ApiPart => ({
  ...{ name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } },
  description: `The \`ETag\` of ${of} as it was read.`,
});

/** What a change answers that does not name what was read. */
export const tagErrors: readonly ApiError[] = [preconditionFailed(), preconditionRequired()];
