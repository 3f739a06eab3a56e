import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { ArchivesStore } from './archives/archives.store';
import { ChunksStore } from './archives/chunks.store';
import { Withdrawal } from './archives/withdrawal';

/** Missing archives are rebuilt from the orders in the log. */
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
