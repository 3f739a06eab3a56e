import { STATEMENT_MEDIA_TYPE } from '@opendsr-service/contracts';
import { contentOf, readAttestationFile } from './read-file';
import type { AttestationContent } from './types';

/** Reads an envelope or a bundle and **verifies nothing**. Undefined where it holds no attestation. */
export function attestationContent(file: Uint8Array): AttestationContent | undefined {
  const read = readAttestationFile(file);
  const content = read?.envelope.payloadType === STATEMENT_MEDIA_TYPE ? contentOf(read) : undefined;
  return content && !('kind' in content) ? content : undefined;
}
