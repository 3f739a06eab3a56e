import { join } from 'node:path';

/** Where secrets lie in a folder: as the standalone service lays them into its own. */
export const secretsIn = (dir: string) => ({
  masterKey: join(dir, 'keys', 'master.key'),
  internalToken: join(dir, 'keys', 'internal.token'),
  certificates: join(dir, 'certificates'),
  sandboxCredentials: join(dir, 'sandbox-credentials.json'),
});
