import { ParkedAdmin, type ParkedFilter, type ParkedHead, type Publisher } from '@opendsr-service/messaging';
import type { OpenStores } from '@opendsr-service/service';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.module';
import { AuditStore } from '../participants/audit.store';
import { shownId } from './parked-facts';
import { databaseOfId, databaseOfService, SERVICE_NAMES, type ParkedDatabase, type ServiceName } from './services';

/** The parked records of one service. */
export interface ParkedRecords extends ParkedDatabase {
  readonly admin: ParkedAdmin;
}

export interface ParkedTools {
  /** Records in the gateway's database who saw what. */
  readonly audit: AuditStore;
  readonly publisher: Publisher;
}

export interface Found extends ParkedRecords {
  readonly head: ParkedHead;
}

/** Works with the parked records of one service or of all. */
export const withAllParked = <T>(
  terminal: Terminal,
  service: ServiceName | undefined,
  work: (services: readonly ParkedRecords[]) => Promise<T>,
): Promise<T> =>
  withStores(terminal, async (stores) =>
    work(
      await Promise.all(
        (service ? [service] : SERVICE_NAMES).map((name) => parkedOf(stores, databaseOfService(name), terminal)),
      ),
    ),
  );

/** Works with one record; throws if it does not exist. */
export const withParked = <T>(
  terminal: Terminal,
  id: string,
  work: (found: Found, tools: ParkedTools) => Promise<T>,
): Promise<T> =>
  withStores(terminal, async (stores) => {
    const place = databaseOfId(id);
    const parked = place && (await parkedOf(stores, place, terminal));
    const head = await parked?.admin.findById(id);
    if (!parked || !head) throw new CommandError(`no record ${shownId(id)} is parked`);
    const audit = new AuditStore(await stores.storage.database('gateway'));
    return work({ ...parked, head }, { audit, publisher: stores.events.publisher });
  });

const parkedOf = async ({ storage }: OpenStores, place: ParkedDatabase, { now }: Terminal): Promise<ParkedRecords> => ({
  ...place,
  admin: new ParkedAdmin(await storage.database(place.database), () => now().getTime()),
});

export const filterOf = (
  { groups }: ParkedRecords,
  { workspace, reason }: { readonly workspace?: string | undefined; readonly reason?: string | undefined },
): ParkedFilter => ({
  groups,
  ...(workspace !== undefined && { ws: workspace }),
  ...(reason !== undefined && { reason }),
});
