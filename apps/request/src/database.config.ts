import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { AggregatesStore } from './aggregates/aggregates.store';

export const database: ServiceDatabase = {
  name: 'request',
  models: (connection) => void [new AggregatesStore(connection), new ParkedStore(connection)],
};
