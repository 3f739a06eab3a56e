import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOwn, type OwnServer } from '@opendsr-service/storage/testing';
import { isThere, programIn } from './program';

const PROGRAM = programIn('transit-server', 'transit-server');
const PAGE = join(__dirname, '../../../../docs/key-generations.md');

/** What a client of the server needs. */
export interface TransitAccess {
  readonly url: string;
  readonly token: string;
}

/** Whether tools/evidence/get-transit-server.sh has built it. */
export const hasTransitServer = (): boolean => isThere(PROGRAM);

/** Starts a server of Vault, with a token that has the rights of this policy and no others. */
export async function startTransitServer(policy: string): Promise<TransitAccess & { readonly server: OwnServer }> {
  const server = startOwn(PROGRAM, [policy]);
  const access = JSON.parse(await server.line((line) => line.startsWith('{'))) as TransitAccess;
  return { ...access, server };
}

/** The policy of the page, for a key of this name and the id of a master key; without one, for any master key. */
export function policyOfPage(key: string, id?: string): string {
  const [, policy] = /^```\n(path "transit\/[^`]*)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
  if (policy === undefined) throw new Error('docs/key-generations.md has no policy for transit');
  return policy.replaceAll('opendsr', key).replaceAll('-ID-*', id === undefined ? '-*' : `-${id}-*`);
}
