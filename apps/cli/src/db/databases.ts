import type { ServiceDatabase } from '@opendsr-service/service';
import { keysDatabase } from '@opendsr-service/vault';
import { workspacesDatabase } from '@opendsr-service/workspaces';

/** The databases of all services, also shared ones. Loaded on demand: most commands do not need them. */
export async function databases(): Promise<readonly ServiceDatabase[]> {
  const services = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
    import('@opendsr-service/callback-dispatcher/operation'),
    import('@opendsr-service/results/operation'),
    import('@opendsr-service/ingestion/operation'),
  ]);
  return [...services.map(({ database }) => database), keysDatabase, workspacesDatabase];
}
