import { checkResults, resultsTable } from './results.config';

export { database } from './database.config';

export const configuration = { table: resultsTable, check: checkResults };

export { shownShare } from './requests/shown-share.store';

export { restoring } from './restoring.config';
