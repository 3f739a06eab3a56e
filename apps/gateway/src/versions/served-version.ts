import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer } from '@opendsr-service/signing';

/**
 * One served protocol version (decision 9). The root that receives a create fixes the version of that request; every root
 * reads, lists and cancels all requests of a workspace, and signs its answers under its own domain.
 */
export interface ServedVersion {
  readonly version: ProtocolVersion;
  /** Used in headers, certificates and extension keys. */
  readonly domain: string;
  /** Base of results links. */
  readonly publicUrl: string;
  readonly certificatesUrl: string;
  readonly signer: Signer;
}
