import type { KeyDestroyed } from '@opendsr-service/contracts';
import type { IdentitiesStore } from '../identities/identities.store';
import type { BatchesStore } from '../profiles/batches.store';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { Removal } from './removal';

interface Stores {
  readonly profiles: ProfilesStore;
  readonly identities: IdentitiesStore;
  readonly batches: BatchesStore;
}

/** Erases again, in a database that was restored from an older copy, whoever was erased since (decision 4). */
export class ReplayedErasures {
  constructor(
    private readonly stores: Stores,
    private readonly removal: Removal,
  ) {}

  /** May be given a tombstone twice. */
  async apply(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const { profiles, identities } = this.stores;
    const ofSubjects = tombstones.filter(({ scope }) => scope === 'subject');
    for (const ws of new Set(ofSubjects.map((tombstone) => tombstone.ws))) {
      const kids = ofSubjects.filter((tombstone) => tombstone.ws === ws).map(({ kid }) => kid);
      for (const { mpid } of await profiles.findByKeys(ws, kids)) await this.erase(ws, mpid);
      for (const mpid of await identities.findMpidsByKeys(ws, kids)) await this.clear(ws, mpid);
    }
  }

  /** The profile leads to all else, so it goes last: what is cut off here is begun again. */
  private async erase(ws: string, mpid: string): Promise<void> {
    await this.removal.remove(ws, mpid, () => Promise.resolve());
    await this.removal.hide(ws, mpid);
  }

  /**
   * Clears away what a copy that was not made at one instant brought back without its profile. Here the identities are the only lead to
   * the batches, and go last. Nobody is remembered as erased: the keys of profiles that were never made are destroyed as well. Batches
   * to which nothing leads at all stay. No key opens them and nothing tells them, and to find them every batch ever taken in would have
   * to stand in an index by its key.
   */
  private async clear(ws: string, mpid: string): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await this.stores.batches.removePageByProfile(ws, mpid);
    await this.stores.identities.removeByProfile(ws, mpid);
  }
}
