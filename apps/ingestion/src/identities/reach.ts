import type { Identity } from '@opendsr-service/contracts';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import type { IdentitiesStore } from './identities.store';
import { reachedProfiles } from './matching';
import { mpidsOf, type Owners } from './owners';

/** Whom a request is about: the profile, and the key that everything of it is sealed under. */
export interface Reached {
  readonly mpid: string;
  readonly kid: string;
}

/** Finds whom the identities of a request reach (protocol-notes, "Profile matching"). */
export class Reach {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly profiles: ProfilesStore },
    private readonly owners: Owners,
  ) {}

  /** Most of the time one or none. */
  async profiles(ws: string, identities: readonly Identity[]): Promise<ProfileDocument[]> {
    return this.stores.profiles.find(ws, await this.mpids(ws, identities));
  }

  /** Profiles, and identities that a crash left without theirs: they are sealed under a key that nothing else leads to. */
  async toErase(ws: string, identities: readonly Identity[]): Promise<Reached[]> {
    const mpids = await this.mpids(ws, identities);
    const profiles = await this.stores.profiles.find(ws, mpids);
    const left = await this.stores.identities.findOf(ws, mpids);
    return [...new Map([...left, ...profiles].map(({ mpid, kid }) => [mpid, { mpid, kid }])).values()];
  }

  private async mpids(ws: string, identities: readonly Identity[]): Promise<string[]> {
    const places = [...(await this.owners.places(ws, identities)), ...(await this.owners.anonymousPlaces(ws, identities))];
    const found = await this.stores.identities.find(ws, places.map(({ _id }) => _id));
    const named = identities.filter(({ type }) => type === 'mpid').map(({ value }) => ({ mpid: value, by: 'mpid' as const }));
    const leads = [...named, ...found.map(({ mpid, type }) => ({ mpid, by: type }))];
    const withLogin = await this.owners.withLogin(ws, mpidsOf(leads));
    return reachedProfiles(leads, (mpid) => withLogin.has(mpid));
  }
}
