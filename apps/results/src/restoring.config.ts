import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { ArchivesStore } from './archives/archives.store';
import { ChunksStore } from './archives/chunks.store';
import { Withdrawal } from './archives/withdrawal';

/** Archives that the copy lacks are built once more, from the orders that the log keeps. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events, vault, clock }) => {
    const kept = {
      archives: new ArchivesStore(connection),
      chunks: new ChunksStore(connection),
      subjects: new ArchiveSubjectsStore(connection),
    };
    return foldTombstones(events, connection, (tombstones) => new Withdrawal(kept, vault, clock).replay(tombstones));
  },
  rewoundGroups: ['results'],
  sealed: [{ collection: 'archives', holds: 'kid' }],
};
