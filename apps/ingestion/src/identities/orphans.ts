import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { IdentitiesStore, IdentityDocument } from './identities.store';

/** Identities whose profile is gone, or was never made. */
export class Orphans {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly profiles: ProfilesStore },
    private readonly vault: Pick<Vault, 'destroy'>,
  ) {}

  /**
   * Frees them. Where no profile has their key, it is destroyed first: nothing else leads to it, so that no erasure would reach what it
   * sealed, in backups and in the log; what else it sealed is freed as well. Rejects where the log takes no tombstone: they stay then.
   */
  async release(ws: string, orphans: readonly IdentityDocument[]): Promise<void> {
    const keys = new Map(orphans.map((orphan) => [orphan.kid, orphan]));
    const standing = new Set((await this.stores.profiles.findByKeys(ws, [...keys.keys()])).map(({ kid }) => kid));
    for (const [kid, orphan] of keys) if (!standing.has(kid)) await this.discard(ws, orphan);
    await this.stores.identities.detach(orphans.filter(({ kid }) => standing.has(kid)));
  }

  /** Takes back all identities of a profile that does not exist, and never will: what they were sealed under is destroyed. */
  async discard(ws: string, { mpid, kid }: Pick<IdentityDocument, 'mpid' | 'kid'>): Promise<void> {
    await this.vault.destroy(ws, kid, 'subject');
    await this.stores.identities.removeByProfile(ws, mpid);
  }
}
