import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { AggregatesStore } from './aggregates/aggregates.store';

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'request',
  models: (connection) => void [new AggregatesStore(connection), new ParkedStore(connection)],
};
