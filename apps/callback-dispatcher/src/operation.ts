import { ParkedStore } from '@opendsr-service/messaging';
import type { Projection, Restoring, ServiceDatabase } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import { LanesCollection } from './lanes/lanes-collection.store';
import { lanesProjection } from './projection/projection';
import { checkCallbackDispatcher, callbackDispatcherTable } from './callback-dispatcher.config';

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'callback_dispatcher',
  models: (connection) => void [new LanesCollection(connection), new ParkedStore(connection)],
};

/** What follows from the log. */
export const projections: readonly Projection[] = [lanesProjection];

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: callbackDispatcherTable, check: checkCallbackDispatcher };

/** Its lanes follow from the log alone. */
export const restoring: Restoring<Vault> = { rewound: [], sealed: [] };

export { factsOf } from './lanes/request-facts.store';
