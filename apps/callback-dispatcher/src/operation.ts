import type { Projection, RestorePlan } from '@opendsr-service/replay';
import type { Vault } from '@opendsr-service/vault';
import { destinationsProjection } from './projection/destinations.projection';
import { checkCallbackDispatcher, callbackDispatcherTable } from './callback-dispatcher.config';

export { database } from './database.config';

/** What follows from the log. */
export const projections: readonly Projection[] = [destinationsProjection];

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: callbackDispatcherTable, check: checkCallbackDispatcher };

/** Its destinations follow from the log alone. */
export const restoring: RestorePlan<Vault> = { rewoundGroups: [], sealed: [] };

/** How receivers are trusted, for tools that try whether callbacks get there. */
export { clientContext } from './egress/client-identity.client';
export { factsOf } from './destinations/request-facts.store';
