import type { Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import type { IdentityDocument } from './identities.store';

type OwnerRef = Pick<IdentityDocument, 'mpid' | 'kid'>;

export class Orphans {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'profiles'>,
    private readonly vault: Pick<Vault, 'destroy'>,
  ) {}

  /** False: a late call has created a profile of theirs meanwhile, which others may use. Rejects if the log is away. */
  async release(ws: string, orphans: readonly IdentityDocument[]): Promise<boolean> {
    for (const orphan of new Map(orphans.map((one) => [one.mpid, one])).values())
      if (!(await this.releaseAllOf(ws, orphan))) return false;
    return true;
  }

  /** Destroys the key of a profile that will not exist first, because no erasure would find it later, then its identities. */
  async discard(ws: string, { mpid, kid }: OwnerRef): Promise<void> {
    await this.vault.destroy(ws, kid, 'subject');
    await this.stores.identities.removeByProfile(ws, mpid);
  }

  private async releaseAllOf(ws: string, owner: OwnerRef): Promise<boolean> {
    const { profiles } = this.stores;
    if (!(await profiles.preclude(ws, owner.mpid, owner.kid))) return false;
    await this.discard(ws, owner);
    // Last: who creates the profile from now on finds no key of it, and removes it.
    await profiles.removeData(ws, owner.mpid);
    return true;
  }
}
