import { ParkedStore } from '@opendsr-service/messaging';
import type { Projection, Restoring, ServiceDatabase } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import { AggregatesStore } from './aggregates/aggregates.store';
import { aggregatesProjection } from './projection/aggregates.projection';
import { checkRequest, requestTable } from './request.config';

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'request',
  models: (connection) => void [new AggregatesStore(connection), new ParkedStore(connection)],
};

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: requestTable, check: checkRequest };

/** What follows from the log. */
export const projections: readonly Projection[] = [aggregatesProjection];

/** Its participants' reports are in its events by then, and nothing in its database is sealed by it. */
export const restoring: Restoring<Vault> = { rewound: [], sealed: [] };

export { factsOf } from './aggregates/request-facts.store';
