import { checkIngestion, ingestionTable } from './ingestion.config';

export { database } from './database.config';

export const configuration = { table: ingestionTable, check: checkIngestion };

export { erasureFacts } from './erasure/erasure-facts.store';

export { restoring } from './restoring.config';
