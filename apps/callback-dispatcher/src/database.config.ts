import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { DestinationsCollection } from './destinations/destinations-collection.store';
import { ReceivingHosts } from './hosts/receiving-hosts.store';

export const database: ServiceDatabase = {
  name: 'callback_dispatcher',
  models: (connection) =>
    void [new DestinationsCollection(connection), new ReceivingHosts(connection), new ParkedStore(connection)],
};
