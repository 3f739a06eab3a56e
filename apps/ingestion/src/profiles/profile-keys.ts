import { profileKey } from '@opendsr-service/contracts';
import type { DataKey, Vault } from '@opendsr-service/vault';
import type { ProfileDocument, ProfilesStore } from './profiles.store';

/**
 * The keys of persons who are still there. In an older copy of the database those are missing who came after it was made, while their keys
 * live: nothing would lead to what is kept under these, no request and no erasure.
 */
export class ProfileKeys {
  constructor(
    private readonly profiles: Pick<ProfilesStore, 'findAll'>,
    private readonly vault: Pick<Vault, 'key'>,
  ) {}

  /** In their order; undefined where the key is destroyed, or nobody has it. */
  async findLive(named: readonly Pick<ProfileDocument, 'ws' | 'mpid' | 'kid'>[]): Promise<(DataKey | undefined)[]> {
    const profiles = await this.profiles.findAll([...new Set(named.map(({ ws, mpid }) => profileKey(ws, mpid)))]);
    const kids = new Map(profiles.map(({ _id, kid }) => [_id, kid]));
    return Promise.all(
      named.map(async ({ ws, mpid, kid }) =>
        kids.get(profileKey(ws, mpid)) === kid ? this.vault.key(ws, kid) : undefined,
      ),
    );
  }
}
