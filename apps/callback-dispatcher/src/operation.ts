import type { Projection, RestorePlan } from '@opendsr-service/replay';
import type { Vault } from '@opendsr-service/vault';
import { destinationsProjection } from './projection/destinations.projection';
import { checkCallbackDispatcher, callbackDispatcherTable } from './callback-dispatcher.config';

export { database } from './database.config';

export const projections: readonly Projection[] = [destinationsProjection];

export const configuration = { table: callbackDispatcherTable, check: checkCallbackDispatcher };

export const restoring: RestorePlan<Vault> = { rewoundGroups: [], sealed: [] };

export { shownDestinations } from './destinations/shown-destinations.store';
