import type { Projection, RestorePlan } from '@opendsr-service/replay';
import type { Vault } from '@opendsr-service/vault';
import { aggregatesProjection } from './projection/aggregates.projection';
import { checkRequest, requestTable } from './request.config';

export { database } from './database.config';

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: requestTable, check: checkRequest };

/** What follows from the log. */
export const projections: readonly Projection[] = [aggregatesProjection];

/** What took effect is in its events by then and counts once. What was parked since the copy is in none of them: it is read, and parked, anew. Nothing in its database is sealed by it. */
export const restoring: RestorePlan<Vault> = { rewoundGroups: ['request'], sealed: [] };

export { factsOf } from './aggregates/request-facts.store';
