import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import type { Connection } from 'mongoose';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { ArchivesStore } from './archives/archives.store';
import { ChunksStore } from './archives/chunks.store';
import { ErasedSubjectsStore } from './archives/erased-subjects.store';
import { ErasuresStore } from './erasure/erasures.store';

export const storesOn = (connection: Connection) => ({
  archives: new ArchivesStore(connection),
  chunks: new ChunksStore(connection),
  subjects: new ArchiveSubjectsStore(connection),
  erasures: new ErasuresStore(connection),
  erasedSubjects: new ErasedSubjectsStore(connection),
});

export type ResultsStores = ReturnType<typeof storesOn>;

export const database: ServiceDatabase = {
  name: 'results',
  models: (connection) => void [storesOn(connection), new ParkedStore(connection)],
};
