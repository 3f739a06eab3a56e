import { loadSigner, readCertificates } from '@opendsr-service/signing';
import { command, EXIT, type Terminal } from '../command';
import { certificateLines } from './certificate-lines';
import { certificateSources, type CertificateSource } from './certificates.config';

/** `dsr certs show`: the certificates that the services sign with (docs/certificates.md). */
export const certsShow = command({
  words: 'certs show',
  meaning: 'shows the certificate of each version: names, issuer, validity, key, fingerprints, and the addresses where it is published',
  options: {},
  run: async (_none, terminal) => {
    for (const source of certificateSources(terminal)) await show(source, terminal);
    return EXIT.ok;
  },
});

async function show(source: CertificateSource, { print, now, files }: Terminal): Promise<void> {
  const [leaf, ...others] = readCertificates(await files.text(source.chainFile));
  if (!leaf) throw new Error(`${source.chainFile} does not hold certificates in PEM form`);
  print(`version ${source.version.apiVersion}, ${source.domain}`);
  const lines: [string, string][] = [
    ['file', `${source.chainFile}${source.sandboxAuthority === undefined ? '' : ', made by the sandbox: nobody else trusts it'}`],
    ...certificateLines(leaf, now()),
    ['chain', others.length === 0 ? 'no intermediates' : `${others.length} further, up to ${others.at(-1)?.subject.replaceAll('\n', ', ')}`],
    ['immutable', await immutableAddress(source, now())],
    ['stable', `${source.publishedUnder}/${source.version.certificateFile}`],
  ];
  lines.forEach(([label, value]) => { print(`  ${label.padEnd(9)}  ${value}`); });
}

/** The address that discovery names. What the services refuse to load has none. */
async function immutableAddress(source: CertificateSource, now: Date): Promise<string> {
  const signer = await loadSigner({ ...source, now }).catch(() => undefined);
  return signer ? `${source.publishedUnder}/${signer.publishedName}` : 'none: the services refuse it, and dsr certs check says why';
}
