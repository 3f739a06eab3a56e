import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { certificatesAddress, V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import {
  checkSigning,
  httpSettings,
  publicUrlSettings,
  signerSources,
  signingSettings,
  storeSettings,
} from '@opendsr-service/config';
import {
  sandboxCertificatesIn,
  withPublishedNames,
  type SandboxCertificates,
  type SignerSource,
} from '@opendsr-service/signing';
import type { Terminal } from '../command';

const table = { PORT: httpSettings.PORT, DATA_DIR: storeSettings.DATA_DIR, ...signingSettings, ...publicUrlSettings };

/** The certificate of one version, with its files and its public address. */
export interface CertificateSource extends SignerSource {
  readonly version: ProtocolVersion;
  /** The authority of the sandbox, if the sandbox made it. */
  readonly sandboxAuthority: string | undefined;
  readonly publishedUnder: string;
}

/** The sandbox's certificates in a data folder; undefined if no sandbox started there. */
export function sandboxIn(dataDir: string): SandboxCertificates | undefined {
  const files = sandboxCertificatesIn(join(dataDir, 'certificates'));
  return existsSync(files.authorityFile) ? files : undefined;
}

/**
 * The certificates of the configured versions, newest first: the named files, or the sandbox of DATA_DIR. Throws a
 * ConfigurationError.
 */
export function certificateSources({ settings }: Pick<Terminal, 'settings'>): CertificateSource[] {
  const values = settings(table, (read) => checkSigning(read, sandboxIn(read.DATA_DIR) !== undefined));
  const sandbox = sandboxIn(values.DATA_DIR);
  const { v2, v1 } = withPublishedNames(signerSources(values, sandbox));
  const madeHere = (chainFile: string) => [sandbox?.v2.chainFile, sandbox?.v1.chainFile].includes(chainFile);
  const sourceOf = (version: ProtocolVersion, files: SignerSource, publishedUnder: string): CertificateSource => ({
    ...{ version, ...files, publishedUnder },
    sandboxAuthority: madeHere(files.chainFile) ? sandbox?.authorityFile : undefined,
  });
  return [
    sourceOf(V2, v2, certificatesAddress(V2, values.PUBLIC_URL_V2, values.CERT_URL_V2)),
    ...(v1 ? [sourceOf(V1, v1, certificatesAddress(V1, values.PUBLIC_URL_V1, values.CERT_URL_V1))] : []),
  ];
}

/** PEM of the authorities that Node trusts by default. */
export const trustedByNode = (): string => getCACertificates('default').join('\n');
