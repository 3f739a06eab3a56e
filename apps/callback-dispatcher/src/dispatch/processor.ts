import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer, Signers } from '@opendsr-service/signing';

/** The service as one version of the protocol shows it to receivers of callbacks (D9). */
export interface SigningProcessor {
  readonly version: ProtocolVersion;
  /** What results links build on, without the version's root. */
  readonly publicUrl: string;
  readonly signer: Signer;
}

/** The versions that callbacks are sent in. What has no signer is not served. */
export const processorsOf = (
  addresses: { readonly PUBLIC_URL_V2: string; readonly PUBLIC_URL_V1: string },
  signers: Signers,
): SigningProcessor[] => [
  { version: V2, publicUrl: addresses.PUBLIC_URL_V2, signer: signers.v2 },
  ...(signers.v1 ? [{ version: V1, publicUrl: addresses.PUBLIC_URL_V1, signer: signers.v1 }] : []),
];
