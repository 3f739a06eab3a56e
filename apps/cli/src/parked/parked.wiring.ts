import { type KindFilter, type ParkedFilter, type ParkedHead, type Publisher } from '@opendsr-service/messaging';
import {
  databaseOfId,
  databaseOfService,
  ParkedRecords,
  SERVICE_NAMES,
  shownId,
  type ServiceName,
} from '@opendsr-service/operator-answers';
import type { OpenStores } from '@opendsr-service/service';
import type { Storage } from '@opendsr-service/storage';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.wiring';
import { noteIn, type KeyedStores } from '../keyed-stores.wiring';

interface ParkedTools {
  /** Records in the gateway's database who saw what. */
  readonly audit: KeyedStores['audit'];
  readonly publisher: Publisher;
  readonly storage: Storage;
}

/** A parked record, and the records of its service. */
export interface Found {
  readonly records: ParkedRecords;
  readonly head: ParkedHead;
}

/** Works with the parked records of one service or of all. */
export const withAllParked = <T>(
  terminal: Terminal,
  service: ServiceName | undefined,
  work: (services: readonly ParkedRecords[], tools: ParkedTools) => Promise<T>,
): Promise<T> =>
  withStores(terminal, async (stores) =>
    work(
      await Promise.all((service ? [service] : SERVICE_NAMES).map((name) => parkedOf(stores, name, terminal))),
      toolsOf(stores),
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
    const records = place && (await parkedOf(stores, place.service, terminal));
    const head = await records?.admin.findById(id);
    if (!records || !head) throw new CommandError(`no record ${shownId(id)} is parked`);
    return work({ records, head }, toolsOf(stores));
  });

const toolsOf = ({ storage, events }: OpenStores): ParkedTools => ({
  audit: noteIn(storage),
  publisher: events.publisher,
  storage,
});

const parkedOf = async ({ storage }: OpenStores, service: ServiceName, { now }: Terminal): Promise<ParkedRecords> =>
  new ParkedRecords(service, await storage.database(databaseOfService(service).database), () => now().getTime());

export const filterOf = ({
  workspace,
  reason,
  kind,
}: {
  readonly workspace?: string | undefined;
  readonly reason?: string | undefined;
  readonly kind?: KindFilter | undefined;
}): Omit<ParkedFilter, 'groups'> => ({
  ...(workspace !== undefined && { ws: workspace }),
  ...(reason !== undefined && { reason }),
  ...(kind !== undefined && { kind }),
});
