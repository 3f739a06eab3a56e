import type { KeyDestroyed } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import { kidsByWorkspace, type Vault } from '@opendsr-service/vault';
import { isBuilt, type BuiltArchive } from './archive';
import type { ArchiveSubjectsStore } from './archive-subjects.store';
import type { ArchivesStore } from './archives.store';
import type { Build, ChunksStore } from './chunks.store';

interface Stores {
  readonly archives: ArchivesStore;
  readonly chunks: Pick<ChunksStore, 'removeBuild'>;
  readonly subjects: ArchiveSubjectsStore;
}

/** Destroys archives: finished, unfinished or restored from an older copy. Each step is idempotent. */
export class Withdrawal {
  constructor(
    private readonly stores: Stores,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** Destroys the key before the bytes, and `before` that awaits. Keeps the subjects, so that the call can be repeated. */
  async destroy({ ws, srid, build }: Build, before: (kid: string) => Promise<void>): Promise<void> {
    const { archives, chunks } = this.stores;
    const archive = await this.withdraw(ws, srid, build);
    if (archive) {
      await before(archive.kid);
      await this.vault.destroy(ws, archive.kid, 'archive');
    }
    // A builder that lost its claim may have written a chunk since.
    await chunks.removeBuild({ ws, srid, build });
    if (archive) await archives.unsetBuild(archive);
  }

  /** Removes restored archives whose keys were destroyed after the copy was made (decision 4). */
  async replay(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const { archives, chunks, subjects } = this.stores;
    for (const [ws, kids] of kidsByWorkspace(tombstones.filter(({ scope }) => scope === 'archive'))) {
      for await (const archive of archives.findSealedBy(ws, kids)) {
        if (!isBuilt(archive) || !(await this.withdraw(ws, archive.srid, archive.build))) continue;
        await chunks.removeBuild(archive);
        await subjects.removeBuild(archive);
        await archives.unsetBuild(archive);
      }
    }
  }

  private async withdraw(ws: string, srid: string, build: string): Promise<BuiltArchive | undefined> {
    for (;;) {
      const archive = await this.stores.archives.find(ws, srid);
      if (!archive || !isBuilt(archive) || archive.build !== build) return undefined;
      if (await this.stores.archives.withdraw(archive, this.clock.now())) return archive;
    }
  }
}
