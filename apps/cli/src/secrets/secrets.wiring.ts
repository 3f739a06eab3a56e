import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readServiceTokens } from '@opendsr-service/service';
import { ensureSandboxCertificates, type SandboxCertificates, type SandboxDomains } from '@opendsr-service/signing';
import { ensureLogKey, ensureMasterKey, logName } from '@opendsr-service/vault';
import { newCredential } from '@opendsr-service/workspaces';
import type { Files } from '../files.store';
import { readSandboxCredentials } from './sandbox-credentials';
import { secretsIn } from './secrets-in';

const TOKEN_BYTES = 32;

/** A secret file; `kept`: it existed already. */
export interface SecretFile {
  readonly file: string;
  readonly kept: boolean;
}

/**
 * Creates the missing secrets of an installation in `dir`, for their owner only. Keeps valid existing ones, and throws
 * for others.
 */
export async function makeSecrets(dir: string, files: Files, processorDomain: string): Promise<SecretFile[]> {
  const { masterKey, internalToken, logKey } = secretsIn(dir);
  await mkdir(join(dir, 'keys'), { recursive: true, mode: 0o700 });
  const kept = [masterKey, internalToken, logKey].map((file) => ({ file, kept: existsSync(file) }));
  await ensureMasterKey(masterKey);
  if (!existsSync(internalToken))
    await files.writeNew([
      { file: internalToken, text: `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, mode: 0o600 },
    ]);
  await readServiceTokens(internalToken);
  await ensureLogKey(logKey, logName(processorDomain));
  return kept;
}

/** Creates the secrets of a trial in `dir`. Replaces certificates that expire soon. */
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
