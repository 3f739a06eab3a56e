import type { Clock } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import type { ArchivesStore } from '../archives/archives.store';
import type { ChunksStore } from '../archives/chunks.store';

const PAGE = 20;

/** Forgets archives past their validity. Each step may be done twice and by several, so none needs a claim. */
export class SweepWorker {
  constructor(
    private readonly stores: { readonly archives: ArchivesStore; readonly chunks: ChunksStore },
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** One page; answers how many had expired. */
  async runOnce(): Promise<number> {
    const { archives, chunks } = this.stores;
    const expired = await archives.findExpired(this.clock.now(), PAGE);
    for (const archive of expired) {
      const { ws, srid, kid } = archive;
      if (kid !== undefined) await this.vault.destroy(ws, kid, 'archive');
      await chunks.remove(ws, srid);
      await archives.forget(archive);
    }
    return expired.length;
  }
}
