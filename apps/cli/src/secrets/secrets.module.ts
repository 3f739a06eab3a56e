import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readServiceToken } from '@opendsr-service/service';
import { ensureSandboxCertificates, type SandboxCertificates, type SandboxDomains } from '@opendsr-service/signing';
import { ensureMasterKey } from '@opendsr-service/vault';
import { newCredential } from '@opendsr-service/workspaces';
import type { Files } from '../files.store';
import { readSandboxCredentials } from './sandbox-credentials';
import { secretsIn } from './secrets-in';

const TOKEN_BYTES = 32;

/** A file that an installation needs, and whether it was there already. */
export interface SecretFile {
  readonly file: string;
  readonly kept: boolean;
}

/**
 * Makes in `dir` what every installation needs and is not there: its folders and files are their owner's alone. What
 * is there must be fit, and stays.
 */
export async function makeSecrets(dir: string, files: Files): Promise<SecretFile[]> {
  const { masterKey, internalToken } = secretsIn(dir);
  await mkdir(join(dir, 'keys'), { recursive: true, mode: 0o700 });
  const kept = [masterKey, internalToken].map((file) => ({ file, kept: existsSync(file) }));
  await ensureMasterKey(masterKey);
  if (!existsSync(internalToken))
    await files.writeNew([
      { file: internalToken, text: `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, mode: 0o600 },
    ]);
  await readServiceToken(internalToken);
  return kept;
}

/** Makes in `dir` what lets a trial do without an authority and an operator. Certificates that near their end are made again. */
export async function makeSandboxSecrets(
  dir: string,
  files: Files,
  domains: SandboxDomains,
): Promise<{ readonly credentials: SecretFile; readonly certificates: SandboxCertificates }> {
  const { certificates, sandboxCredentials: file } = secretsIn(dir);
  const kept = existsSync(file);
  if (!kept) await files.writeNew([{ file, text: `${JSON.stringify(newCredential(), undefined, 2)}\n`, mode: 0o600 }]);
  await readSandboxCredentials(file, files);
  return { credentials: { file, kept }, certificates: await ensureSandboxCertificates(certificates, domains) };
}
