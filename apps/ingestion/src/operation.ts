import { checkIngestion, ingestionTable } from './ingestion.config';

export { database } from './database.config';

export const configuration = { table: ingestionTable, check: checkIngestion };

export { shownErasure } from './erasure/shown-erasure.store';

export { restoring } from './restoring.config';
