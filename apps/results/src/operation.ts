import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/runtime';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { ArchivesStore } from './archives/archives.store';
import { ChunksStore } from './archives/chunks.store';
import { ErasedSubjectsStore } from './erasure/erased-subjects.store';
import { ErasuresStore } from './erasure/erasures.store';
import { checkResults, resultsTable } from './results.config';

const stores = [ArchivesStore, ChunksStore, ArchiveSubjectsStore, ErasuresStore, ErasedSubjectsStore, ParkedStore];

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'results',
  models: (connection) => void stores.map((Store) => new Store(connection)),
};

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: resultsTable, check: checkResults };
