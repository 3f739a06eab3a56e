import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newCredential } from '@opendsr-service/workspaces';

interface SandboxCredentials {
  readonly key: string;
  readonly secret: string;
}

/** The configured credentials, else those in `sandbox-credentials.json` of the data folder, else new ones. */
export async function sandboxCredentials(
  dataDir: string,
  configured: Partial<SandboxCredentials>,
): Promise<SandboxCredentials> {
  const file = join(dataDir, 'sandbox-credentials.json');
  if (configured.key !== undefined && configured.secret !== undefined)
    return keep(file, { key: configured.key, secret: configured.secret });
  try {
    const { key, secret } = JSON.parse(await readFile(file, 'utf8')) as SandboxCredentials;
    return { key, secret };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return keep(file, newCredential());
  }
}

async function keep(file: string, credentials: SandboxCredentials): Promise<SandboxCredentials> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600 });
  return credentials;
}
