import { readFile } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';

/** Node's authorities and those of the file; undefined without a file: Node's alone. */
export const trustedAuthorities = async (caFile: string | undefined): Promise<string[] | undefined> =>
  caFile === undefined ? undefined : [...getCACertificates('default'), await readFile(caFile, 'utf8')];
