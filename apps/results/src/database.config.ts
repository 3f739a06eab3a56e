import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { ArchivesStore } from './archives/archives.store';
import { ChunksStore } from './archives/chunks.store';
import { ErasedSubjectsStore } from './archives/erased-subjects.store';
import { ErasuresStore } from './erasure/erasures.store';

const stores = [ArchivesStore, ChunksStore, ArchiveSubjectsStore, ErasuresStore, ErasedSubjectsStore, ParkedStore];

export const database: ServiceDatabase = {
  name: 'results',
  models: (connection) => void stores.map((Store) => new Store(connection)),
};
