import { isDeviceIdentity, type Identity, type IdentityTypeName } from '@opendsr-service/contracts';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import type { ErasureLeads } from './erasure-leads.store';
import type { IdentitiesStore } from './identities.store';
import { reachedProfiles, type Reached } from './matching';
import { mpidsOf, type Owners } from './owners';

interface Led {
  readonly mpid: string;
  readonly type?: IdentityTypeName;
}

/** Where identities lead from: what is owned now, or was by those who are being erased. */
interface Leading {
  find(ws: string, ids: readonly string[]): Promise<readonly Required<Led>[]>;
  findOf(ws: string, mpids: readonly string[]): Promise<readonly Led[]>;
}

/** Finds whom the identities of a request reach (protocol-notes, "Profile matching"). */
export class Reach {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly profiles: ProfilesStore; readonly leads: ErasureLeads },
    private readonly owners: Owners,
  ) {}

  /** Most of the time one or none. */
  async profiles(ws: string, identities: readonly Identity[]): Promise<ProfileDocument[]> {
    return this.stores.profiles.find(ws, await this.mpids(ws, identities, [this.stores.identities]));
  }

  /**
   * Profiles, and identities that a crash left without theirs: they are sealed under a key that nothing else leads to. And whoever is
   * being erased for another request: this one may not be completed before they are gone. Not who was taken in after `until`: an order
   * that the log hands out again is older than they are, and what comes after an erasure is the policy's.
   */
  async toErase(ws: string, identities: readonly Identity[], until: Date): Promise<Reached[]> {
    const { profiles, identities: owned, leads } = this.stores;
    const mpids = await this.mpids(ws, identities, [owned, leads]);
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

  private async mpids(ws: string, identities: readonly Identity[], from: readonly Leading[]): Promise<string[]> {
    const places = [...(await this.owners.places(ws, identities)), ...(await this.owners.anonymousPlaces(ws, identities))];
    const found = await inTurn(from, (leading) => leading.find(ws, places.map(({ _id }) => _id)));
    const named = identities.filter(({ type }) => type === 'mpid').map(({ value }) => ({ mpid: value, by: 'mpid' as const }));
    const leads = [...named, ...found.map(({ mpid, type }) => ({ mpid, by: type }))];
    const all = await inTurn(from, (leading) => leading.findOf(ws, mpidsOf(leads)));
    const withLogin = new Set(all.filter(({ type }) => type !== undefined && !isDeviceIdentity(type)).map(({ mpid }) => mpid));
    return reachedProfiles(leads, (mpid) => withLogin.has(mpid));
  }
}

async function inTurn<T>(from: readonly Leading[], read: (leading: Leading) => Promise<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for (const leading of from) found.push(...(await read(leading)));
  return found;
}
