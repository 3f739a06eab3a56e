import { SERVICE_NAMES, type ServiceName } from '@opendsr-service/operator-answers';
import type { ServiceDatabase } from '@opendsr-service/service';
import { keysDatabase } from '@opendsr-service/vault';
import { workspacesDatabase } from '@opendsr-service/workspaces';
import { operations } from '../operations';

/** The shared databases that each service uses (docs/connecting.md). */
const SHARED: Readonly<Record<ServiceName, readonly ServiceDatabase[]>> = {
  gateway: [keysDatabase, workspacesDatabase],
  request: [workspacesDatabase],
  'callback-dispatcher': [keysDatabase],
  results: [keysDatabase],
  ingestion: [keysDatabase, workspacesDatabase],
};

/** The databases of these services, also shared ones. Loaded on demand: most commands do not need them. */
export async function databasesOf(services: readonly ServiceName[]): Promise<readonly ServiceDatabase[]> {
  const all = await operations();
  return [...new Set([...services.map((name) => all[name].database), ...services.flatMap((name) => SHARED[name])])];
}

/** The databases of all services. */
export const databases = (): Promise<readonly ServiceDatabase[]> => databasesOf(SERVICE_NAMES);
