import { isDeviceIdentity, type Identity } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import type { IdentitiesStore, IdentityDocument } from './identities.store';
import { anonymousId, identityId, isUnverifiedId, unverifiedId } from './identity-id';

/** Where an identity is kept. `device`: it is a device as somebody uses it who is not logged in, and this is the device itself. */
export interface Place {
  readonly _id: string;
  readonly identity: Identity;
  readonly device?: string;
}

/** Who owns the identities of a call. */
export interface Known {
  /** The profile of the highest-ranking identity that has one. */
  readonly profile: ProfileDocument | undefined;
  readonly owned: readonly Identity[];
  /** Places without owner, the highest-ranking first. */
  readonly free: readonly Place[];
  /** What stands at these places still, though whose it was is gone. */
  readonly orphans: readonly IdentityDocument[];
}

/** The same for a call by the public key alone. */
export interface KnownUnverified extends Known {
  readonly strangers: readonly Place[];
}

interface Found {
  readonly documents: readonly IdentityDocument[];
  /** The profile that owns what is kept there; undefined where its profile is gone. */
  readonly ownerAt: (_id: string) => ProfileDocument | undefined;
}

/** Reads whose identities are. */
export class Owners {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly profiles: ProfilesStore },
    private readonly vault: Vault,
  ) {}

  /** Where identities are kept, in their order; an mpid is kept nowhere. */
  async places(ws: string, identities: readonly Identity[]): Promise<Place[]> {
    const index = await this.vault.index(ws);
    const kept = identities.filter(({ type }) => type !== 'mpid');
    return kept.map((identity) => ({ _id: identityId(ws, index, identity), identity }));
  }

  /** Where devices are kept for those who use them without being logged in. */
  async anonymousPlaces(ws: string, identities: readonly Identity[]): Promise<Place[]> {
    const index = await this.vault.index(ws);
    const devices = await this.places(
      ws,
      identities.filter(({ type }) => isDeviceIdentity(type)),
    );
    return devices.map(({ _id, identity }) => ({ _id: anonymousId(ws, index, identity), identity, device: _id }));
  }

  async find(ws: string, places: readonly Place[]): Promise<Found> {
    const documents = await this.stores.identities.find(
      ws,
      places.map(({ _id }) => _id),
    );
    const profiles = new Map(
      (await this.stores.profiles.find(ws, mpidsOf(documents))).map((profile) => [profile.mpid, profile]),
    );
    const mpids = new Map(documents.map(({ _id, mpid }) => [_id, mpid]));
    return { documents, ownerAt: (_id) => profiles.get(mpids.get(_id) ?? '') };
  }

  async known(ws: string, ranked: readonly Identity[]): Promise<Known> {
    const places = await this.places(ws, ranked);
    return knownAt(places, await this.find(ws, places));
  }

  /**
   * Who owns devices while nobody is logged in: their owner where that has no login identity; else they are looked up once more,
   * as devices of somebody unknown.
   */
  async knownAnonymous(ws: string, devices: readonly Identity[]): Promise<Known> {
    const anonymous = await this.anonymousPlaces(ws, devices);
    const plain = anonymous.map(({ device = '', identity }): Place => ({ _id: device, identity }));
    const found = await this.find(ws, [...plain, ...anonymous]);
    const withLogin = await this.withLogin(ws, mpidsOf(found.documents));
    const isLoggedIn = (owner: ProfileDocument | undefined): boolean =>
      owner !== undefined && withLogin.has(owner.mpid);
    const ownerAt = (_id: string): ProfileDocument | undefined => {
      const owner = found.ownerAt(_id);
      return isLoggedIn(owner) ? undefined : owner;
    };
    const places = anonymous.flatMap((place, n): Place[] => {
      const device = plain[n] as Place;
      if (isLoggedIn(found.ownerAt(device._id))) return [place];
      return ownerAt(place._id) ? [device, place] : [device];
    });
    return knownAt(places, { documents: found.documents, ownerAt });
  }

  /** Who owns the deciding identity as the public key alone asserts it, and which identities nobody owns in either way (decision 18). */
  async knownUnverified(ws: string, ranked: readonly Identity[]): Promise<KnownUnverified> {
    const places = await this.places(ws, ranked);
    const unverified = places.map(({ _id, identity }): Place => ({ _id: unverifiedId(_id), identity }));
    const found = await this.find(ws, [...places, ...unverified]);
    const strangers = places.filter(({ _id }) => !found.ownerAt(_id) && !found.ownerAt(unverifiedId(_id)));
    return { ...knownAt(unverified.slice(0, 1), found), strangers };
  }

  /** Whether the public key alone asserted whose this profile is. */
  async isUnverified(ws: string, mpid: string): Promise<boolean> {
    return (await this.stores.identities.findOf(ws, [mpid])).some(({ _id }) => isUnverifiedId(_id));
  }

  /** Those of the profiles that have a login identity. */
  async withLogin(ws: string, mpids: readonly string[]): Promise<ReadonlySet<string>> {
    const all = await this.stores.identities.findOf(ws, mpids);
    return new Set(all.filter(({ type }) => !isDeviceIdentity(type)).map(({ mpid }) => mpid));
  }
}

export const mpidsOf = (documents: readonly { readonly mpid: string }[]): string[] => [
  ...new Set(documents.map(({ mpid }) => mpid)),
];

function knownAt(places: readonly Place[], { documents, ownerAt }: Found): Known {
  const profile = places.map(({ _id }) => ownerAt(_id)).find(Boolean);
  const owned = profile
    ? places.filter(({ _id }) => ownerAt(_id)?.mpid === profile.mpid).map(({ identity }) => identity)
    : [];
  const free = places.filter(({ _id }) => !ownerAt(_id));
  const freeIds = new Set(free.map(({ _id }) => _id));
  return { profile, owned, free, orphans: documents.filter(({ _id }) => freeIds.has(_id)) };
}
