import { checkIngestion, ingestionTable } from './ingestion.config';

export { database } from './database.config';

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: ingestionTable, check: checkIngestion };

export { factsOf } from './erasure/request-facts.store';

export { restoring } from './restoring.config';
