import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientIdentity } from './client-identity.client';

/** The files of one workspace; undefined: that one is missing. */
export type IdentityFiles = { readonly [K in keyof ClientIdentity]: string | undefined };

/** Reads what a folder holds for workspaces, `<ws>.key` and `<ws>.pem`, each by the name of its workspace. Other files are none of ours. */
export async function readIdentities(dir: string): Promise<ReadonlyMap<string, IdentityFiles>> {
  const names = (await readdir(dir)).flatMap((file) => /^([^.].*)\.(?:key|pem)$/.exec(file)?.[1] ?? []);
  const read = async (ws: string) =>
    [ws, { key: await text(join(dir, `${ws}.key`)), cert: await text(join(dir, `${ws}.pem`)) }] as const;
  return new Map(await Promise.all([...new Set(names)].map(read)));
}

/** What cannot be read is taken for missing, as it is while somebody replaces it. */
const text = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
