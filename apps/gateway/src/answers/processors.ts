import { V2 } from '@opendsr-service/contracts';
import type { Signer } from '@opendsr-service/signing';
import type { Processor } from './processor';

export interface Addresses {
  readonly PUBLIC_URL_V2: string;
  readonly CERT_URL_V2: string | undefined;
}

/** The versions that the service speaks, each at its own address and under its own certificate. */
export const processorsOf = (addresses: Addresses, signers: { readonly v2: Signer }): Processor[] => [
  {
    version: V2,
    domain: signers.v2.domain,
    publicUrl: addresses.PUBLIC_URL_V2,
    certificateUrl: `${addresses.CERT_URL_V2 ?? `${addresses.PUBLIC_URL_V2}/${V2.root}/certificates`}/${V2.certificateFile}`,
    signer: signers.v2,
  },
];
