import { sendJson } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import type { Processor } from './processor';

/** Signs the bytes of an answer and sends exactly them (interface.md, "Endpoints"; protocol-notes, "Signed responses"). */
export async function sendSigned(reply: FastifyReply, processor: Processor, status: number, answer: object): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(answer));
  const { domainHeader, signatureHeader } = processor.version;
  sendJson(reply, status, bytes, { [domainHeader]: processor.domain, [signatureHeader]: await processor.signer.sign(bytes) });
}
