import type { Terminal } from '../command';
import { certificateSources } from '../certs/certificates.config';
import { examined, type Examined } from '../certs/examined';
import { fail, ok, warn, type Finding } from './finding';

/** The results of `dsr certs check` as findings. */
export async function certificateFindings(
  terminal: Pick<Terminal, 'settings' | 'files' | 'now'>,
  trustPem: string | undefined,
): Promise<readonly Finding[]> {
  const found: Examined[] = [];
  for (const source of certificateSources(terminal))
    found.push(await examined(source, { trustPem, now: terminal.now(), files: terminal.files }));
  return found.flatMap(findingsOfOne);
}

function findingsOfOne({ version, domain, faults, warning, validTo }: Examined): readonly Finding[] {
  const check = `certificate of version ${version}`;
  if (faults.length > 0) return faults.map((fault) => fail(check, fault, 'replace it: docs/certificates.md'));
  if (warning !== undefined) return [warn(check, warning, 'renew it: docs/certificates.md')];
  return [ok(check, `it is for ${domain}, is trusted, and ends at ${validTo ?? 'an unknown time'}`)];
}
