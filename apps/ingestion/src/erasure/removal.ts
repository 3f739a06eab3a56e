import type { Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { ErasedIdentitiesStore } from '../identities/erased-identities.store';
import type { IdentitiesStore } from '../identities/identities.store';
import { identityId, verifiedId } from '../identities/identity-id';
import type { BatchesStore } from '../profiles/batches.store';
import type { ProfilesStore } from '../profiles/profiles.store';

interface Stores {
  readonly profiles: ProfilesStore;
  readonly identities: IdentitiesStore;
  readonly erased: ErasedIdentitiesStore;
  readonly batches: BatchesStore;
}

/** Removes the documents of a data subject. Each step is idempotent. */
export class Removal {
  constructor(
    private readonly stores: Stores,
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
