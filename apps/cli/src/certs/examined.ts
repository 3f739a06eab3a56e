import { checkCertificate, loadSigner, readCertificates, SigningError } from '@opendsr-service/signing';
import type { Files } from '../files.store';
import { RECEIVERS_REFUSE, warningOf } from './certificate-lines';
import { trustedByNode, type CertificateSource } from './certificates.config';

interface ExamineOptions {
  readonly trustPem: string | undefined;
  readonly now: Date;
  readonly files: Files;
}

/** The faults of the certificate of one version, and the warning before its expiry. */
export interface Examined {
  readonly version: string;
  readonly domain: string;
  readonly file: string;
  readonly faults: readonly string[];
  readonly warning?: string;
  readonly validTo?: string;
}

export async function examined(source: CertificateSource, { trustPem, now, files }: ExamineOptions): Promise<Examined> {
  const refused = await refusedAtLoad(source, now);
  const pem = await files.text(source.chainFile).catch(() => '');
  const trusted =
    trustPem ?? (source.sandboxAuthority === undefined ? trustedByNode() : await files.text(source.sandboxAuthority));
  // A fault that both find is shown once, in the more detailed words of the services.
  const disliked = checkCertificate(pem, { domain: source.domain, trustPem: trusted, now }).filter(
    (fault) => !refused?.faults.includes(fault),
  );
  const faults = [
    ...(refused ? [`the services refuse it: ${refused.message}`] : []),
    ...disliked.map((fault) => `receivers refuse it: ${RECEIVERS_REFUSE[fault]}`),
  ];
  const [leaf] = refused ? [] : readCertificates(pem);
  const warning = leaf && warningOf(leaf, now);
  return {
    ...{ version: source.version.apiVersion, domain: source.domain, file: source.chainFile, faults },
    ...(warning !== undefined && { warning }),
    ...(leaf && { validTo: leaf.validToDate.toISOString() }),
  };
}

async function refusedAtLoad(source: CertificateSource, now: Date): Promise<SigningError | undefined> {
  try {
    await loadSigner({ ...source, now });
    return undefined;
  } catch (error) {
    if (error instanceof SigningError) return error;
    throw error;
  }
}
