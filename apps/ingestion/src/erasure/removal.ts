import { profileKey, type Identity, type KeyDestroyed } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import { kidsByWorkspace, type Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import { identityId, verifiedId } from '../identities/identity-id';

/** Removes the documents of a data subject. Each step is idempotent. */
export class Removal {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'profiles' | 'identities' | 'erased' | 'batches' | 'parked'>,
    private readonly vault: Pick<Vault, 'index'>,
    private readonly clock: Clock,
  ) {}

  /** From now on, data that names the mpid or one of the identities counts as data of an erased subject. */
  async removeProfile(ws: string, mpid: string): Promise<void> {
    await this.recordAllOf(ws, mpid);
    await this.stores.profiles.removeData(ws, mpid);
  }

  /** How many batches of these profiles are stored. */
  async countBatches(ws: string, mpids: readonly string[]): Promise<number> {
    let batches = 0;
    for (const mpid of mpids) batches += await this.stores.batches.countByProfile(ws, mpid);
    return batches;
  }

  /** `afterPage` is awaited between pages, and stops the removal by throwing. */
  async remove(ws: string, mpid: string, afterPage: () => Promise<void>): Promise<void> {
    // Identities may have been attached meanwhile.
    await this.recordAllOf(ws, mpid);
    await this.stores.identities.removeByProfile(ws, mpid);
    while (await this.stores.batches.removePageByProfile(ws, mpid)) await afterPage();
    await this.removeParked(ws, mpid);
  }

  /** The identities of an erasure count as erased, with or without an owner. */
  async recordErased(ws: string, identities: readonly Identity[]): Promise<void> {
    const index = await this.vault.index(ws);
    await this.stores.erased.remember(
      ws,
      identities.map((identity) => identityId(ws, index, identity)),
      this.clock.now(),
    );
  }

  /** Repeats erasures in a database that was restored from an older copy (decision 4). */
  async replay(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const { profiles, identities } = this.stores;
    const ofSubjects = tombstones.filter(({ scope }) => scope === 'subject');
    for (const [ws, kids] of kidsByWorkspace(ofSubjects)) {
      for (const { mpid } of await profiles.findByKeys(ws, kids)) {
        await this.remove(ws, mpid, () => Promise.resolve());
        // The profile leads to everything else, so it goes last: an interrupted removal can be repeated.
        await this.removeProfile(ws, mpid);
      }
      for (const mpid of await identities.findMpidsByKeys(ws, kids)) await this.clear(ws, mpid);
      await profiles.removePrecluded(ws, kids);
    }
  }

  /**
   * Removes data whose profile the copy lacks. The identities are the only link to the batches, so they go last.
   * Remembers nothing as erased, because keys of profiles that were never created are destroyed too. Unlinked batches
   * remain unreadable.
   */
  private async clear(ws: string, mpid: string): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await this.stores.batches.removePageByProfile(ws, mpid);
    await this.removeParked(ws, mpid);
    await this.stores.identities.removeByProfile(ws, mpid);
  }

  /** They name the mpid in clear. */
  private removeParked(ws: string, mpid: string): Promise<void> {
    return this.stores.parked.removeByKey(profileKey(ws, mpid));
  }

  private async recordAllOf(ws: string, mpid: string): Promise<void> {
    const own = identityId(ws, await this.vault.index(ws), { type: 'mpid', value: mpid });
    const identities = await this.stores.identities.findByProfiles(ws, [mpid]);
    // An identity with a `deviceId` is verified, so its `_id` is the verified one.
    await this.stores.erased.remember(
      ws,
      [
        own,
        ...identities.flatMap(({ _id, deviceId }) => (deviceId === undefined ? [verifiedId(_id)] : [_id, deviceId])),
      ],
      this.clock.now(),
    );
  }
}
