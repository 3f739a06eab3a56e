import type { ServiceDatabase } from '@opendsr-service/service';
import { keysDatabase } from '@opendsr-service/vault';
import { workspacesDatabase } from '@opendsr-service/workspaces';
import { operations } from '../operations';

/** The databases of all services, also shared ones. Loaded on demand: most commands do not need them. */
export async function databases(): Promise<readonly ServiceDatabase[]> {
  const services = Object.values(await operations());
  return [...services.map(({ database }) => database), keysDatabase, workspacesDatabase];
}
