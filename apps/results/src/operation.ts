import { checkResults, resultsTable } from './results.config';

export { database } from './database.config';

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: resultsTable, check: checkResults };

export { factsOf } from './archives/request-facts.store';

export { restoring } from './restoring.config';
