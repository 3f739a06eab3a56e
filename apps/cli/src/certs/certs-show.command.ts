import { loadSigner, readCertificates } from '@opendsr-service/signing';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { jsonOption, show } from '../output';
import { certificateLines } from './certificate-lines';
import { certificateSources, type CertificateSource } from './certificates.config';

/** `dsr certs show`: the certificates that the services sign with (docs/certificates.md). */
export const certsShow = command({
  words: 'certs show',
  meaning:
    'shows the certificate of each version: names, issuer, validity, key, fingerprints, and the addresses where it is published',
  options: jsonOption,
  run: async (given, terminal) => {
    const certificates: Shown[] = [];
    for (const source of certificateSources(terminal)) certificates.push(await shown(source, terminal));
    show(terminal, given, { certificates }, () => certificates.flatMap(linesOf));
    return EXIT.ok;
  },
});

interface Shown {
  readonly version: string;
  readonly domain: string;
  /** By label. */
  readonly facts: Readonly<Record<string, string>>;
}

const linesOf = ({ version, domain, facts }: Shown): string[] => [
  `version ${version}, ${domain}`,
  ...Object.entries(facts).map(([label, value]) => `  ${label.padEnd(9)}  ${value}`),
];

async function shown(source: CertificateSource, { now, files }: Terminal): Promise<Shown> {
  const [leaf, ...others] = readCertificates(await files.text(source.chainFile));
  if (!leaf) throw new CommandError(`${source.chainFile} does not hold certificates in PEM form`);
  const facts: [string, string][] = [
    [
      'file',
      `${source.chainFile}${source.sandboxAuthority === undefined ? '' : ', made by the sandbox: nobody else trusts it'}`,
    ],
    ...certificateLines(leaf, now()),
    [
      'chain',
      others.length === 0
        ? 'no intermediates'
        : `${others.length} further, up to ${others.at(-1)?.subject.replaceAll('\n', ', ')}`,
    ],
    ['immutable', await immutableAddress(source, now())],
    ['stable', `${source.publishedUnder}/${source.version.certificateFile}`],
  ];
  return { version: source.version.apiVersion, domain: source.domain, facts: Object.fromEntries(facts) };
}

/** The address in discovery; a certificate that the services refuse has none. */
async function immutableAddress(source: CertificateSource, now: Date): Promise<string> {
  const signer = await loadSigner({ ...source, now }).catch(() => undefined);
  return signer
    ? `${source.publishedUnder}/${signer.publishedName}`
    : 'none: the services refuse it; dsr certs check shows why';
}
