import type { ProtocolVersion } from '@opendsr-service/contracts';
import { entityTag, namesTag, sendJson } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedVersion } from '../../versions/served-version';

export interface SignedAnswer {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs the bytes of an answer (protocol, "Endpoints", "Signed responses"). */
export async function signAnswer(processor: ServedVersion, answer: object): Promise<SignedAnswer> {
  const bytes = bytesOf(answer);
  return withHeaders(processor, bytes, await processor.signer.sign(bytes));
}

export const bytesOf = (answer: object): Buffer => Buffer.from(JSON.stringify(answer));

export const withHeaders = ({ version, domain }: ServedVersion, bytes: Buffer, signature: string): SignedAnswer => ({
  bytes,
  headers: { [version.domainHeader]: domain, [version.signatureHeader]: signature },
});

/** The bytes of an answer, and behind them those of its signature. */
export const withSignature = ({ bytes, headers }: SignedAnswer, { signatureHeader }: ProtocolVersion): Buffer =>
  Buffer.concat([bytes, Buffer.from(headers[signatureHeader] ?? '', 'base64')]);

export function sendSigned(reply: FastifyReply, status: number, { bytes, headers }: SignedAnswer): void {
  sendJson(reply, status, bytes, headers);
}

/**
 * Answers a read with an entity tag of its bytes: 304 to a caller that names this tag, else 200. A 304 is not signed: it
 * has no bytes, and the signature that came with the caller's copy stays valid for it (protocol, "Signed responses").
 */
export async function sendUnlessKnown(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  bytes: Buffer,
  sign: (bytes: Buffer) => Promise<SignedAnswer>,
): Promise<void> {
  const tag = entityTag(bytes);
  if (namesTag(headers['if-none-match'], tag)) {
    void reply.code(304).header('etag', tag).send();
    return;
  }
  const answer = await sign(bytes);
  sendSigned(reply, 200, { bytes, headers: { ...answer.headers, etag: tag } });
}
