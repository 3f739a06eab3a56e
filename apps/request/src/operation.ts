import type { Projection, RestorePlan } from '@opendsr-service/replay';
import type { Vault } from '@opendsr-service/vault';
import { aggregatesProjection } from './projection/aggregates.projection';
import { checkRequest, requestTable } from './request.config';

export { database } from './database.config';

export const configuration = { table: requestTable, check: checkRequest };

export const projections: readonly Projection[] = [aggregatesProjection];

/** Reads its topics again: repeats have no effect, and records parked since the copy are parked again. */
export const restoring: RestorePlan<Vault> = { rewoundGroups: ['request'], sealed: [] };

export { readEventHistories, type EndingEvent, type EventHistory } from './projection/event-histories';

export { shownAggregate } from './aggregates/shown-aggregate.store';
