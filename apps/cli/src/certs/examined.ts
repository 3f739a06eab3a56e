import { checkCertificate, loadSigner, readCertificates, SigningError } from '@opendsr-service/signing';
import type { Files } from '../files.store';
import { RECEIVERS_REFUSE, warningOf } from './certificate-lines';
import { trustedByNode, type CertificateSource } from './certificates.config';

interface ExamineOptions {
  readonly trustPem: string | undefined;
  readonly now: Date;
  readonly files: Files;
}

/** What is wrong with the certificate of one version, and what will be soon. */
export interface Examined {
  readonly version: string;
  readonly domain: string;
  readonly file: string;
  readonly faults: readonly string[];
  readonly warning?: string;
  readonly validTo?: string;
}

/** What the services refuse at load, what receivers refuse, and what ends soon. */
export async function examined(source: CertificateSource, { trustPem, now, files }: ExamineOptions): Promise<Examined> {
  const refused = await refusedAtLoad(source, now);
  const pem = await files.text(source.chainFile).catch(() => '');
  const trusted =
    trustPem ?? (source.sandboxAuthority === undefined ? trustedByNode() : await files.text(source.sandboxAuthority));
  // What both find is told once, in the words of the services, which say what they saw.
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
