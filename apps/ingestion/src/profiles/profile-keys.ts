import { profileKey } from '@opendsr-service/contracts';
import type { DataKey, Vault } from '@opendsr-service/vault';
import type { ProfileDocument, ProfilesStore } from './profiles.store';

/** Ignores keys whose profile an older copy lacks: no request or erasure would find data stored for them. */
export class ProfileKeys {
  constructor(
    private readonly profiles: Pick<ProfilesStore, 'findAll'>,
    private readonly vault: Pick<Vault, 'key'>,
  ) {}

  /** In the given order. Undefined if the key is destroyed or the profile does not exist. */
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
