import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer } from '@opendsr-service/signing';

/** The service as one version of the protocol shows it: everything that tells the versions apart below the routes (D9). */
export interface Processor {
  readonly version: ProtocolVersion;
  /** Header, certificate name and extension key in one string. */
  readonly domain: string;
  /** What results links build on, without the version's root. */
  readonly publicUrl: string;
  readonly certificateUrl: string;
  readonly signer: Signer;
}
