import { isDeviceIdentity, type Identity, type IdentityTypeName } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import type { ProfileDocument } from '../profiles/profiles.store';
import type { IdentityDocument } from './identities.store';
import { anonymousId, identityId, isUnverifiedId, unverifiedId } from './identity-id';
import { loginsAbove, mayBeAnothers } from './same-person';

/** `deviceId`: the verified `_id`, if the slot is that of an anonymous device. */
export interface IdentitySlot {
  readonly _id: string;
  readonly identity: Identity;
  readonly deviceId?: string;
}

export interface SubjectMatch {
  readonly profile: ProfileDocument | undefined;
  readonly ownedIdentities: readonly Identity[];
  readonly unownedSlots: readonly IdentitySlot[];
  /** Documents in these slots whose profile is gone. */
  readonly orphans: readonly IdentityDocument[];
  /** Documents in these slots, of anonymous devices, whose profile has a login identity by now. */
  readonly outgrown?: readonly IdentityDocument[];
  /** The lock of the profile, where it counts only because it holds no contradicting login identity. */
  readonly guardId?: string;
  /** The mpid of the call, if no profile has it. */
  readonly unknownMpid?: string;
}

export interface UnverifiedMatch extends SubjectMatch {
  readonly unknownSlots: readonly IdentitySlot[];
}

interface SlotOwners {
  readonly documents: readonly IdentityDocument[];
  /** The profile of the call's mpid. */
  readonly named?: ProfileDocument | undefined;
  readonly ownerOf: (_id: string) => ProfileDocument | undefined;
}

export class SubjectMatcher {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'profiles'>,
    private readonly vault: Vault,
  ) {}

  /** An mpid has no slot. */
  async slotsOf(ws: string, identities: readonly Identity[]): Promise<IdentitySlot[]> {
    const index = await this.vault.index(ws);
    const kept = identities.filter(({ type }) => type !== 'mpid');
    return kept.map((identity) => ({ _id: identityId(ws, index, identity), identity }));
  }

  async anonymousSlotsOf(ws: string, identities: readonly Identity[]): Promise<IdentitySlot[]> {
    const index = await this.vault.index(ws);
    const devices = await this.slotsOf(
      ws,
      identities.filter(({ type }) => isDeviceIdentity(type)),
    );
    return devices.map(({ _id, identity }) => ({ _id: anonymousId(ws, index, identity), identity, deviceId: _id }));
  }

  /** `mpid`: of a profile that is read as well, at the same time. */
  async findOwners(ws: string, slots: readonly IdentitySlot[], mpid?: string): Promise<SlotOwners> {
    const ids = slots.map(({ _id }) => _id);
    const [documents, named] = await Promise.all([
      this.stores.identities.find(ws, ids),
      this.stores.profiles.find(ws, mpid === undefined ? [] : [mpid]),
    ]);
    const others = await this.stores.profiles.find(
      ws,
      mpidsOf(documents).filter((owner) => owner !== mpid),
    );
    const profiles = new Map([...named, ...others].map((profile) => [profile.mpid, profile]));
    const mpids = new Map(documents.map(({ _id, mpid: owner }) => [_id, owner]));
    return { documents, named: named[0], ownerOf: (_id) => profiles.get(mpids.get(_id) ?? '') };
  }

  async match(ws: string, ranked: readonly Identity[]): Promise<SubjectMatch> {
    const slots = await this.slotsOf(ws, ranked);
    return matchSlots(slots, await this.findOwners(ws, slots));
  }

  /** As `match`, but a profile that may be another person's does not count. The mpid ranks between logins and devices. */
  async matchCall(ws: string, ranked: readonly Identity[], mpid?: string): Promise<SubjectMatch> {
    const slots = await this.slotsOf(ws, ranked);
    const owners = await this.findOwners(ws, slots, mpid);
    const unknownMpid = mpid === undefined || owners.named ? {} : { unknownMpid: mpid };
    const named = namedProfiles(slots, owners);
    const [first] = named;
    if (!first || isCertain(first, slots, owners)) return { ...matchOf(slots, owners, first?.profile), ...unknownMpid };
    const profile = await this.firstOfSamePerson(ws, named);
    return {
      ...matchOf(slots, owners, profile),
      ...unknownMpid,
      ...(profile && {
        guardId: identityId(ws, await this.vault.index(ws), { type: 'mpid', value: profile.mpid }),
      }),
    };
  }

  /** Devices without login: a device whose owner has a login identity is looked up again as an anonymous device. */
  async matchAnonymous(ws: string, devices: readonly Identity[]): Promise<SubjectMatch> {
    const anonymous = await this.anonymousSlotsOf(ws, devices);
    const plain = anonymous.map(({ deviceId = '', identity }): IdentitySlot => ({ _id: deviceId, identity }));
    const found = await this.findOwners(ws, [...plain, ...anonymous]);
    const withLogin = await this.withLogin(ws, mpidsOf(found.documents));
    const isLoggedIn = (owner: ProfileDocument | undefined): boolean =>
      owner !== undefined && withLogin.has(owner.mpid);
    const ownerOf = (_id: string): ProfileDocument | undefined => {
      const owner = found.ownerOf(_id);
      return isLoggedIn(owner) ? undefined : owner;
    };
    const slots = anonymous.flatMap((slot, n): IdentitySlot[] => {
      const device = plain[n] as IdentitySlot;
      if (isLoggedIn(found.ownerOf(device._id))) return [slot];
      return ownerOf(slot._id) ? [device, slot] : [device];
    });
    const match = matchSlots(slots, { documents: found.documents, ownerOf });
    const isOwned = ({ _id }: IdentityDocument): boolean => found.ownerOf(_id) !== undefined;
    return {
      ...match,
      orphans: match.orphans.filter((one) => !isOwned(one)),
      outgrown: match.orphans.filter(isOwned),
    };
  }

  /** The unverified owner of the deciding identity, and the slots without any owner (decision 18). */
  async matchUnverified(ws: string, ranked: readonly Identity[]): Promise<UnverifiedMatch> {
    const slots = await this.slotsOf(ws, ranked);
    const unverified = slots.map(({ _id, identity }): IdentitySlot => ({ _id: unverifiedId(_id), identity }));
    const found = await this.findOwners(ws, [...slots, ...unverified]);
    const unknownSlots = slots.filter(({ _id }) => !found.ownerOf(_id) && !found.ownerOf(unverifiedId(_id)));
    return { ...matchSlots(unverified.slice(0, 1), found), unknownSlots };
  }

  async isUnverified(ws: string, mpid: string): Promise<boolean> {
    const _id = await this.stores.identities.findOneId(ws, mpid);
    return _id !== undefined && isUnverifiedId(_id);
  }

  withLogin(ws: string, mpids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.stores.identities.findWithLogin(ws, mpids);
  }

  private async firstOfSamePerson(ws: string, named: readonly NamedProfile[]): Promise<ProfileDocument | undefined> {
    const held = await this.stores.identities.findByProfiles(ws, mpidsOf(named.map(({ profile }) => profile)));
    const heldBy = Map.groupBy(held, ({ mpid }) => mpid);
    return named.find((candidate) => {
      const documents = heldBy.get(candidate.profile.mpid) ?? [];
      // Pages choose the mpids of unverified profiles, so these take no identity of a verified call.
      if (documents.some(({ _id }) => isUnverifiedId(_id))) return false;
      return !mayBeAnothers(
        candidate,
        documents.map(({ type }) => type),
      );
    })?.profile;
  }
}

/** A profile by an identity of the call: its type, and the login types of the call that decide before it. */
interface NamedProfile {
  readonly profile: ProfileDocument;
  readonly type: IdentityTypeName;
  readonly above: ReadonlySet<IdentityTypeName>;
}

function namedProfiles(slots: readonly IdentitySlot[], { named, ownerOf }: SlotOwners): NamedProfile[] {
  const ranked = slots.map(({ identity }) => identity);
  const nameBy = (type: IdentityTypeName, profile: ProfileDocument | undefined): NamedProfile[] =>
    profile ? [{ profile, type, above: loginsAbove(type, ranked) }] : [];
  const byIdentity = (isDevice: boolean): NamedProfile[] =>
    slots
      .filter(({ identity: { type } }) => isDeviceIdentity(type) === isDevice)
      .flatMap(({ _id, identity: { type } }) => nameBy(type, ownerOf(_id)));
  return [...byIdentity(false), ...nameBy('mpid', named), ...byIdentity(true)];
}

/** True if no further read can change that the call belongs to the first profile. */
const isCertain = (
  { profile, type, above }: NamedProfile,
  slots: readonly IdentitySlot[],
  owners: SlotOwners,
): boolean =>
  type === 'mpid' ? slots.every(({ _id }) => owners.ownerOf(_id)?.mpid === profile.mpid) : above.size === 0;

export const mpidsOf = (documents: readonly { readonly mpid: string }[]): string[] => [
  ...new Set(documents.map(({ mpid }) => mpid)),
];

function matchSlots(slots: readonly IdentitySlot[], owners: SlotOwners): SubjectMatch {
  return matchOf(slots, owners, slots.map(({ _id }) => owners.ownerOf(_id)).find(Boolean));
}

function matchOf(
  slots: readonly IdentitySlot[],
  { documents, ownerOf }: SlotOwners,
  profile: ProfileDocument | undefined,
): SubjectMatch {
  const ownedIdentities = profile
    ? slots.filter(({ _id }) => ownerOf(_id)?.mpid === profile.mpid).map(({ identity }) => identity)
    : [];
  const unownedSlots = slots.filter(({ _id }) => !ownerOf(_id));
  const unownedIds = new Set(unownedSlots.map(({ _id }) => _id));
  return {
    profile,
    ownedIdentities,
    unownedSlots,
    orphans: documents.filter(({ _id }) => unownedIds.has(_id)),
  };
}
