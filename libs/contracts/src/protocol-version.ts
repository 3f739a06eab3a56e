import type { ApiVersion } from './vocabulary';

/** What tells one version of the protocol from the other (D9; interface.md, "Versioning"). */
export interface ProtocolVersion {
  readonly apiVersion: ApiVersion;
  /** First segment of every path. */
  readonly root: string;
  readonly requestsRoute: string;
  readonly domainHeader: string;
  readonly signatureHeader: string;
  /** Whether a request says under which law it is made. */
  readonly hasRegulation: boolean;
  /** File name of the published certificate. */
  readonly certificateFile: string;
}

export const V2: ProtocolVersion = {
  apiVersion: '2.0',
  root: 'v2',
  requestsRoute: 'requests',
  domainHeader: 'X-OpenDSR-Processor-Domain',
  signatureHeader: 'X-OpenDSR-Signature',
  hasRegulation: true,
  certificateFile: 'opendsr.pem',
};
