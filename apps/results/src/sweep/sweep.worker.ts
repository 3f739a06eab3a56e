import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { ResultsStores } from '../database.config';

const PAGE = 20;
const ERASED_PAGE = 500;
/** Longer than any build takes. */
const ERASED_KEPT_MS = 7 * 86_400_000;

/** Removes expired archives and old erasure entries. Each step is idempotent, so none needs a claim. */
export class SweepWorker {
  constructor(
    private readonly stores: ResultsStores,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async runOnce(): Promise<number> {
    const { archives, chunks, subjects, erasedSubjects } = this.stores;
    const now = this.clock.now();
    const expired = await archives.findExpired(now, PAGE);
    for (const archive of expired) {
      const { ws, srid, kid } = archive;
      if (kid !== undefined) await this.vault.destroy(ws, kid, 'archive');
      await chunks.remove(ws, srid);
      await subjects.remove(ws, srid);
      await archives.removeData(archive);
    }
    return expired.length + (await erasedSubjects.forget(new Date(now.getTime() - ERASED_KEPT_MS), ERASED_PAGE));
  }
}
