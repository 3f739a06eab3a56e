import type { ApiVersion } from './vocabulary';

/** The differences between the versions of the protocol (decision 9; protocol, "Versioning"). */
export interface ProtocolVersion {
  readonly apiVersion: ApiVersion;
  readonly root: string;
  readonly requestsRoute: string;
  readonly domainHeader: string;
  readonly signatureHeader: string;
  readonly hasRegulation: boolean;
  readonly certificateFile: string;
}

export const V1: ProtocolVersion = {
  apiVersion: '1.0',
  root: 'v1',
  requestsRoute: 'opengdpr_requests',
  domainHeader: 'X-OpenGDPR-Processor-Domain',
  signatureHeader: 'X-OpenGDPR-Signature',
  hasRegulation: false,
  certificateFile: 'opengdpr.pem',
};

export const V2: ProtocolVersion = {
  apiVersion: '2.0',
  root: 'v2',
  requestsRoute: 'requests',
  domainHeader: 'X-OpenDSR-Processor-Domain',
  signatureHeader: 'X-OpenDSR-Signature',
  hasRegulation: true,
  certificateFile: 'opendsr.pem',
};

export const VERSIONS: readonly ProtocolVersion[] = [V2, V1];

/** Address of results, with an unguessable token (protocol, "Callback body"). */
export const resultsLink = (publicUrl: string, { root }: ProtocolVersion, token: string): string =>
  `${publicUrl}/${root}/results/${token}`;

/** Base address of a version's certificates (protocol, "Certificate addresses"). */
export const certificatesAddress = ({ root }: ProtocolVersion, publicUrl: string, configured?: string): string =>
  configured ?? `${publicUrl}/${root}/certificates`;
