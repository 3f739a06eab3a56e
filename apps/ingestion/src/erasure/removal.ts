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

/** Takes a person out of the database. Every step may be done twice. */
export class Removal {
  constructor(
    private readonly stores: Stores,
    private readonly vault: Pick<Vault, 'index'>,
    private readonly clock: Clock,
  ) {}

  /**
   * From here on nobody takes anything in for this person any more: what names one of the identities, or the mpid,
   * again is data of somebody erased.
   */
  async hide(ws: string, mpid: string): Promise<void> {
    await this.rememberAllOf(ws, mpid);
    await this.stores.profiles.remove(ws, mpid);
  }

  /** Removes all else, however much that is. `keepOn` is awaited between the pages, and ends it by throwing. */
  async remove(ws: string, mpid: string, keepOn: () => Promise<void>): Promise<void> {
    // Some may have been attached between the first look and the end of the profile.
    await this.rememberAllOf(ws, mpid);
    await this.stores.identities.removeByProfile(ws, mpid);
    while (await this.stores.batches.removePageByProfile(ws, mpid)) await keepOn();
  }

  /** Whom an erasure names counts as erased, whether anybody owns it or not. */
  async remember(ws: string, identities: readonly Identity[]): Promise<void> {
    const index = await this.vault.index(ws);
    await this.stores.erased.remember(
      ws,
      identities.map((identity) => identityId(ws, index, identity)),
      this.clock.now(),
    );
  }

  private async rememberAllOf(ws: string, mpid: string): Promise<void> {
    const own = identityId(ws, await this.vault.index(ws), { type: 'mpid', value: mpid });
    const identities = await this.stores.identities.findByProfiles(ws, [mpid]);
    // Where `device` stands the identity is verified, so its id is its own.
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
