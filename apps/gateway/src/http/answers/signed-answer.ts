import { sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { ServedVersion } from '../../versions/served-version';

export interface SignedAnswer {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs the bytes of an answer (protocol, "Endpoints", "Signed responses"). */
export async function signAnswer(
  processor: ServedVersion,
  answer: object,
  sign: (bytes: Buffer) => Promise<string> = (bytes) => processor.signer.sign(bytes),
): Promise<SignedAnswer> {
  const bytes = Buffer.from(JSON.stringify(answer));
  const { domainHeader, signatureHeader } = processor.version;
  return { bytes, headers: { [domainHeader]: processor.domain, [signatureHeader]: await sign(bytes) } };
}

export function sendSigned(reply: FastifyReply, status: number, { bytes, headers }: SignedAnswer): void {
  sendJson(reply, status, bytes, headers);
}
