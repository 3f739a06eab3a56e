import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer, Signers } from '@opendsr-service/signing';

/** The identity of the service in one protocol version (decision 9). */
export interface SigningProcessor {
  readonly version: ProtocolVersion;
  /** Base of results links, without the version's root. */
  readonly publicUrl: string;
  readonly signer: Signer;
}

export const processorsOf = (
  addresses: { readonly PUBLIC_URL_V2: string; readonly PUBLIC_URL_V1: string },
  signers: Signers,
): SigningProcessor[] => [
  { version: V2, publicUrl: addresses.PUBLIC_URL_V2, signer: signers.v2 },
  ...(signers.v1 ? [{ version: V1, publicUrl: addresses.PUBLIC_URL_V1, signer: signers.v1 }] : []),
];
