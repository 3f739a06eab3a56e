import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer } from '@opendsr-service/signing';

/** The service as one version of the protocol shows it to receivers of callbacks (D9). */
export interface Processor {
  readonly version: ProtocolVersion;
  /** What results links build on, without the version's root. */
  readonly publicUrl: string;
  readonly signer: Signer;
}
