import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientIdentity } from '@opendsr-service/config';

export type IdentityFiles = { readonly [K in keyof ClientIdentity]: string | undefined };

/** Reads `<ws>.key` and `<ws>.pem` of each workspace in a folder; ignores other files. */
export async function readIdentities(dir: string): Promise<ReadonlyMap<string, IdentityFiles>> {
  const names = (await readdir(dir)).flatMap((file) => /^([^.].*)\.(?:key|pem)$/.exec(file)?.[1] ?? []);
  const read = async (ws: string) =>
    [ws, { key: await text(join(dir, `${ws}.key`)), cert: await text(join(dir, `${ws}.pem`)) }] as const;
  return new Map(await Promise.all([...new Set(names)].map(read)));
}

/** An unreadable file counts as missing: it may be replaced at this moment. */
const text = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
