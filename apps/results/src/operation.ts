import { checkResults, resultsTable } from './results.config';

export { database } from './database.config';

export const configuration = { table: resultsTable, check: checkResults };

export { shareFacts } from './requests/share-facts.store';

export { restoring } from './restoring.config';
