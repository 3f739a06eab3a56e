import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { DestinationsCollection } from './destinations/destinations-collection.store';

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'callback_dispatcher',
  models: (connection) => void [new DestinationsCollection(connection), new ParkedStore(connection)],
};
