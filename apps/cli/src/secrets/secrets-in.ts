import { join } from 'node:path';

/** The paths of secrets in a folder, as the standalone service uses them. */
export const secretsIn = (dir: string) => ({
  masterKey: join(dir, 'keys', 'master.key'),
  internalToken: join(dir, 'keys', 'internal.token'),
  logKey: join(dir, 'keys', 'transparency.key'),
  certificates: join(dir, 'certificates'),
  sandboxCredentials: join(dir, 'sandbox-credentials.json'),
});
