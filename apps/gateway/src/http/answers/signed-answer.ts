import { sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { ServedVersion } from '../../versions/served-version';

/** The bytes of an answer with the headers that prove them. */
export interface SignedAnswer {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs the bytes of an answer (interface.md, "Endpoints"; protocol-notes, "Signed responses"). `sign`: where the signature comes from, if
 * it need not be made anew.
 */
export async function signAnswer(
  processor: ServedVersion,
  answer: object,
  sign: (bytes: Buffer) => Promise<string> = (bytes) => processor.signer.sign(bytes),
): Promise<SignedAnswer> {
  const bytes = Buffer.from(JSON.stringify(answer));
  const { domainHeader, signatureHeader } = processor.version;
  return { bytes, headers: { [domainHeader]: processor.domain, [signatureHeader]: await sign(bytes) } };
}

/** Sends exactly the bytes that were signed. */
export function sendSigned(reply: FastifyReply, status: number, { bytes, headers }: SignedAnswer): void {
  sendJson(reply, status, bytes, headers);
}
