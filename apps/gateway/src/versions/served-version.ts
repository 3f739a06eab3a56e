import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { Signer } from '@opendsr-service/signing';

/**
 * The service as one version of the protocol shows it: everything that tells the versions apart below the routes (D9).
 *
 * The root that receives a create decides the version of that request for good: of `api_version` in what is told of it, of its
 * callbacks, and of its results link. Requests belong to workspaces and not to roots (interface.md, "Authentication"), so each
 * root reads, lists and cancels those of the other as well. Such an answer is signed, and carries the headers, of the root that
 * gives it, since that is whom its caller verifies; what it says stays that of the request.
 */
export interface ServedVersion {
  readonly version: ProtocolVersion;
  /** Header, certificate name and extension key in one string. */
  readonly domain: string;
  /** What results links build on, without the version's root. */
  readonly publicUrl: string;
  /** Where certificates are published, each under its own name. */
  readonly certificatesUrl: string;
  readonly signer: Signer;
}
