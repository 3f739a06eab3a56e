import { ParkedAdmin, type ParkedFilter, type ParkedHead } from '@opendsr-service/messaging';
import type { OpenStores } from '@opendsr-service/service';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.module';
import { AuditStore } from '../participants/audit.store';
import { shownId } from './parked-facts';
import { databaseOfId, databaseOfService, SERVICE_NAMES, type ParkedDatabase, type ServiceName } from './services';

/** The parked records of one service. */
export interface Lot extends ParkedDatabase {
  readonly admin: ParkedAdmin;
}

export interface Found extends Lot {
  readonly head: ParkedHead;
}

/** Works with the parked records of a service, or of all of them. */
export const withLots = <T>(
  terminal: Terminal,
  service: ServiceName | undefined,
  work: (lots: readonly Lot[]) => Promise<T>,
): Promise<T> =>
  withStores(terminal, async (stores) =>
    work(
      await Promise.all(
        (service ? [service] : SERVICE_NAMES).map((name) => lotOf(stores, databaseOfService(name), terminal)),
      ),
    ),
  );

/** Works with one record. `audit` is the trail of who looked at what, in the gateway's database. Throws where there is no such record. */
export const withParked = <T>(
  terminal: Terminal,
  id: string,
  work: (found: Found, audit: AuditStore) => Promise<T>,
): Promise<T> =>
  withStores(terminal, async (stores) => {
    const place = databaseOfId(id);
    const lot = place && (await lotOf(stores, place, terminal));
    const head = await lot?.admin.findById(id);
    if (!lot || !head) throw new CommandError(`no record ${shownId(id)} is parked`);
    return work({ ...lot, head }, new AuditStore(await stores.storage.database('gateway')));
  });

const lotOf = async ({ storage }: OpenStores, place: ParkedDatabase, { now }: Terminal): Promise<Lot> => ({
  ...place,
  admin: new ParkedAdmin(await storage.database(place.database), () => now().getTime()),
});

/** As the options name them. */
export const filterOf = (
  { groups }: Lot,
  { workspace, reason }: { readonly workspace?: string | undefined; readonly reason?: string | undefined },
): ParkedFilter => ({
  groups,
  ...(workspace !== undefined && { ws: workspace }),
  ...(reason !== undefined && { reason }),
});
