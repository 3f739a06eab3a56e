import {
  isDeviceIdentity,
  type DeviceMatching,
  type Identity,
  type IdentityTypeName,
} from '@opendsr-service/contracts';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import type { ErasureLeads } from './erasure-leads.store';
import type { IdentitiesStore } from './identities.store';
import { isUnverifiedId, unverifiedId } from './identity-id';
import { reachedProfiles, type Lead, type Reached } from './matching';
import { mpidsOf, type Owners } from './owners';

interface Led {
  readonly _id: string;
  readonly mpid: string;
  readonly type?: IdentityTypeName;
  /** The `_id` of the identity, where this one is not it. */
  readonly place?: string;
}

/** Where identities lead from: what is owned now, or was by those who are being erased. */
interface Leading {
  find(ws: string, ids: readonly string[]): Promise<readonly (Led & Required<Pick<Led, 'type'>>)[]>;
  findOf(ws: string, mpids: readonly string[]): Promise<readonly Led[]>;
}

/** Finds whom the identities of a request reach (protocol, "Profile matching"). */
export class Reach {
  constructor(
    private readonly stores: {
      readonly identities: IdentitiesStore;
      readonly profiles: ProfilesStore;
      readonly leads: ErasureLeads;
    },
    private readonly owners: Owners,
  ) {}

  /** Most of the time one or none. `matching`: which profiles devices reach in this workspace. */
  async profiles(ws: string, identities: readonly Identity[], matching: DeviceMatching): Promise<ProfileDocument[]> {
    return this.stores.profiles.find(ws, await this.mpids({ ws, identities, matching }, [this.stores.identities]));
  }

  /**
   * Profiles, and identities that a crash left without theirs: they are sealed under a key that nothing else leads to. And whoever is
   * being erased for another request: this one may not be completed before they are gone. Not who was taken in after `until`: an order
   * that the log hands out again is older than they are, and what comes after an erasure is the policy's.
   */
  async toErase(asked: Asked, until: Date): Promise<Reached[]> {
    const { ws } = asked;
    const { profiles, identities: owned, leads } = this.stores;
    const mpids = await this.mpids(asked, [owned, leads]);
    // One after the other, in the order in which another erasure takes them away: whoever has gone from the first two stands in the last.
    const standing = await profiles.find(ws, mpids);
    const left = await owned.findOf(ws, mpids);
    const leaving = await leads.findOf(ws, mpids);
    const later = new Set(standing.filter(({ createdAt }) => createdAt > until).map(({ mpid }) => mpid));
    const reached = [...leaving, ...left, ...standing].filter(({ mpid }) => !later.has(mpid));
    return [...new Map(reached.map(({ mpid, kid }) => [mpid, { mpid, kid }])).values()];
  }

  /** Lets further requests find somebody who is about to be erased, until `forget`. May be done twice. */
  async keep(ws: string, subject: Reached): Promise<void> {
    await this.stores.leads.keep(ws, subject, await this.stores.identities.findOf(ws, [subject.mpid]));
  }

  /** Somebody's erasure is completed. */
  async forget(ws: string, { mpid }: Reached): Promise<void> {
    await this.stores.leads.removeOf(ws, mpid);
  }

  private async mpids({ ws, identities, matching }: Asked, from: readonly Leading[]): Promise<string[]> {
    const own = (await this.owners.places(ws, identities)).map(({ _id }) => _id);
    const anonymous = (await this.owners.anonymousPlaces(ws, identities)).map(({ _id }) => _id);
    const find = (ids: readonly string[]) => inTurn(from, (leading) => leading.find(ws, ids));
    const found = (await find([...own, ...own.map(unverifiedId), ...anonymous])).map(({ mpid, type }): Lead => ({
      mpid,
      by: type,
    }));
    const named = identities
      .filter(({ type }) => type === 'mpid')
      .map(({ value }): Lead => ({ mpid: value, by: 'mpid' }));
    const leads = [...named, ...found];
    const all = await inTurn(from, (leading) => leading.findOf(ws, mpidsOf(leads)));
    const logins = all.filter(({ type }) => type !== undefined && !isDeviceIdentity(type));
    const withLogin = new Set(logins.map(({ mpid }) => mpid));
    const unverified = new Set(all.filter((led) => isUnverifiedId(placeOf(led))).map(({ mpid }) => mpid));
    const reached = reachedProfiles(leads, {
      devicesMatch: matching === 'all',
      hasLogin: (mpid) => withLogin.has(mpid),
      isUnverified: (mpid) => unverified.has(mpid),
    });
    // Whoever proved itself said that these are one person's: so is what the key alone brought under each of them.
    const verified = logins.filter((led) => reached.includes(led.mpid) && !isUnverifiedId(placeOf(led)));
    return [...new Set([...reached, ...mpidsOf(await find(verified.map((led) => unverifiedId(placeOf(led)))))])].sort();
  }
}

/** Whom a request asks for. */
export interface Asked {
  readonly ws: string;
  readonly identities: readonly Identity[];
  readonly matching: DeviceMatching;
}

const placeOf = ({ _id, place = _id }: Led): string => place;

async function inTurn<T>(from: readonly Leading[], read: (leading: Leading) => Promise<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for (const leading of from) found.push(...(await read(leading)));
  return found;
}
