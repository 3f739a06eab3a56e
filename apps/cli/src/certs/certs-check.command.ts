import { checkCertificate, loadSigner, readCertificates, SigningError } from '@opendsr-service/signing';
import { command, EXIT, type Terminal } from '../command';
import { instant, optional } from '../options';
import { RECEIVERS_REFUSE, warningOf } from './certificate-lines';
import { certificateSources, trustedByNode, type CertificateSource } from './certificates.config';

/** `dsr certs check`: what the services would refuse at load, and receivers later (docs/certificates.md). */
export const certsCheck = command({
  words: 'certs check',
  meaning:
    'says what is wrong with the certificate and key of each version: what the services refuse at load, what receivers refuse, and what ends within 30, 14 or 3 days. ' +
    'FILE holds the authorities that receivers trust, PEM; else those that Node trusts, and for what the sandbox made its own. TIME stands for now',
  options: { trust: optional('FILE', String), at: optional('TIME', instant) },
  run: async ({ trust, at }, terminal) => {
    const trustPem = trust === undefined ? undefined : await terminal.files.text(trust);
    const faults: string[] = [];
    for (const source of certificateSources(terminal)) faults.push(...(await check(source, { trustPem, now: at ?? terminal.now() }, terminal)));
    return faults.length === 0 ? EXIT.ok : EXIT.failed;
  },
});

interface Judging {
  readonly trustPem: string | undefined;
  readonly now: Date;
}

async function check(source: CertificateSource, { trustPem, now }: Judging, { print, files }: Terminal): Promise<string[]> {
  const refused = await refusedAtLoad(source, now);
  const pem = await files.text(source.chainFile).catch(() => '');
  const trusted = trustPem ?? (source.sandboxAuthority === undefined ? trustedByNode() : await files.text(source.sandboxAuthority));
  // What both find is told once, in the words of the services, which say what they saw.
  const disliked = checkCertificate(pem, { domain: source.domain, trustPem: trusted, now }).filter((fault) => !refused?.faults.includes(fault));
  const faults = [...(refused ? [`the services refuse it: ${refused.message}`] : []), ...disliked.map((fault) => `receivers refuse it: ${RECEIVERS_REFUSE[fault]}`)];
  const warning = refused ? undefined : endOf(pem, now);
  print(`version ${source.version.apiVersion}, ${source.domain}, ${source.chainFile}`);
  faults.forEach((words) => { print(`  ✗ ${words}`); });
  if (warning !== undefined) print(`  ! ${warning}`);
  if (faults.length === 0) print('  ✓ the services can sign with it, and receivers can trust it');
  return faults;
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

function endOf(pem: string, now: Date): string | undefined {
  const [leaf] = readCertificates(pem);
  return leaf && warningOf(leaf, now);
}
