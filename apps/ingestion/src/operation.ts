import { checkIngestion, ingestionTable } from './ingestion.config';

export { database } from './database.config';

export const configuration = { table: ingestionTable, check: checkIngestion };

export { factsOf } from './erasure/request-facts.store';

export { restoring } from './restoring.config';
