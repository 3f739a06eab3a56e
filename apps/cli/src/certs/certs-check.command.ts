import { command, EXIT } from '../command';
import { instant, optional } from '../options';
import { jsonOption, show } from '../output';
import { certificateSources } from './certificates.config';
import { examined, type Examined } from './examined';

/** `dsr certs check`: what the services and receivers refuse (docs/certificates.md). */
export const certsCheck = command({
  words: 'certs check',
  meaning:
    'checks the certificate and key of each version: what the services refuse at load, what receivers ' +
    'refuse, and what expires within 30, 14 or 3 days. FILE holds the authorities that receivers trust, ' +
    'in PEM; the default is what Node trusts, and the sandbox authority for certificates of the ' +
    'sandbox. TIME replaces the current time',
  options: { trust: optional('FILE', String), at: optional('TIME', instant), ...jsonOption },
  run: async ({ trust, at, json }, terminal) => {
    const trustPem = trust === undefined ? undefined : await terminal.files.text(trust);
    const found: Examined[] = [];
    for (const source of certificateSources(terminal))
      found.push(await examined(source, { trustPem, now: at ?? terminal.now(), files: terminal.files }));
    show(terminal, { json }, { certificates: found }, () => found.flatMap(linesOf));
    return found.every(({ faults }) => faults.length === 0) ? EXIT.ok : EXIT.failed;
  },
});

const linesOf = ({ version, domain, file, faults, warning }: Examined): string[] => [
  `version ${version}, ${domain}, ${file}`,
  ...faults.map((words) => `  ✗ ${words}`),
  ...(warning === undefined ? [] : [`  ! ${warning}`]),
  ...(faults.length === 0 ? ['  ✓ the services can sign with it, and receivers can trust it'] : []),
];
