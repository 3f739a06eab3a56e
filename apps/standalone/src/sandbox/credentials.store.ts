import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '@opendsr-service/service';
import { writeWholeFile } from '@opendsr-service/storage';
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
    return credentialsIn(await readFile(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return keep(file, newCredential());
  }
}

function credentialsIn(text: string, file: string): SandboxCredentials {
  const { key, secret } = parsed(text);
  if (typeof key !== 'string' || typeof secret !== 'string')
    throw new StartupError(
      `${file} does not hold the key and the secret of the sandbox workspace: remove it, and the next start makes new ones`,
    );
  return { key, secret };
}

function parsed(text: string): { readonly key?: unknown; readonly secret?: unknown } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

async function keep(file: string, credentials: SandboxCredentials): Promise<SandboxCredentials> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
  await writeWholeFile(file, `${JSON.stringify(credentials, undefined, 2)}\n`, rename);
  return credentials;
}
