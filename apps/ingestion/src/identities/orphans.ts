import type { Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import type { IdentityDocument } from './identities.store';

export class Orphans {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'profiles'>,
    private readonly vault: Pick<Vault, 'destroy'>,
  ) {}

  /** Destroys keys without profile first, because no erasure would find them later. Rejects if the log is away. */
  async release(ws: string, orphans: readonly IdentityDocument[]): Promise<void> {
    const keys = new Map(orphans.map((orphan) => [orphan.kid, orphan]));
    const standing = new Set((await this.stores.profiles.findByKeys(ws, [...keys.keys()])).map(({ kid }) => kid));
    for (const [kid, orphan] of keys) if (!standing.has(kid)) await this.discard(ws, orphan);
    await this.stores.identities.detach(orphans.filter(({ kid }) => standing.has(kid)));
  }

  /** Removes all identities of a profile that does not exist, and destroys their key. */
  async discard(ws: string, { mpid, kid }: Pick<IdentityDocument, 'mpid' | 'kid'>): Promise<void> {
    await this.vault.destroy(ws, kid, 'subject');
    await this.stores.identities.removeByProfile(ws, mpid);
  }
}
