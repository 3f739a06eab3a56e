import type { KeyDestroyed } from '@opendsr-service/contracts';
import { kidsByWorkspace } from '@opendsr-service/vault';
import type { IdentitiesStore } from '../identities/identities.store';
import type { BatchesStore } from '../profiles/batches.store';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { Removal } from './removal';

interface Stores {
  readonly profiles: ProfilesStore;
  readonly identities: IdentitiesStore;
  readonly batches: BatchesStore;
}

/** Repeats erasures in a database that was restored from an older copy (decision 4). */
export class ReplayedErasures {
  constructor(
    private readonly stores: Stores,
    private readonly removal: Removal,
  ) {}

  async apply(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const { profiles, identities } = this.stores;
    const ofSubjects = tombstones.filter(({ scope }) => scope === 'subject');
    for (const [ws, kids] of kidsByWorkspace(ofSubjects)) {
      for (const { mpid } of await profiles.findByKeys(ws, kids)) await this.erase(ws, mpid);
      for (const mpid of await identities.findMpidsByKeys(ws, kids)) await this.clear(ws, mpid);
    }
  }

  /** The profile leads to everything else, so it goes last: an interrupted removal can be repeated. */
  private async erase(ws: string, mpid: string): Promise<void> {
    await this.removal.remove(ws, mpid, () => Promise.resolve());
    await this.removal.removeProfile(ws, mpid);
  }

  /**
   * Removes data whose profile the copy lacks. The identities are the only link to the batches, so they go last.
   * Remembers nothing as erased, because keys of profiles that were never created are destroyed too. Unlinked batches
   * remain unreadable.
   */
  private async clear(ws: string, mpid: string): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await this.stores.batches.removePageByProfile(ws, mpid);
    await this.stores.identities.removeByProfile(ws, mpid);
  }
}
