import { certificatesAddress, V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer, Signers } from '@opendsr-service/signing';
import type { ServedVersion } from './served-version';

interface VersionAddresses {
  readonly PUBLIC_URL_V2: string;
  readonly PUBLIC_URL_V1: string;
  readonly CERT_URL_V2: string | undefined;
  readonly CERT_URL_V1: string | undefined;
}

/** A version without a signer is not served. Both may share one address (protocol, "Certificate addresses"). */
export const servedVersionsOf = (addresses: VersionAddresses, signers: Signers): ServedVersion[] => [
  servedVersionOf(V2, signers.v2, addresses.PUBLIC_URL_V2, addresses.CERT_URL_V2),
  ...(signers.v1 ? [servedVersionOf(V1, signers.v1, addresses.PUBLIC_URL_V1, addresses.CERT_URL_V1)] : []),
];

const servedVersionOf = (
  version: ProtocolVersion,
  signer: Signer,
  publicUrl: string,
  certUrl: string | undefined,
): ServedVersion => ({
  version,
  domain: signer.domain,
  publicUrl,
  certificatesUrl: certificatesAddress(version, publicUrl, certUrl),
  signer,
});
