import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeviceIdentity, type Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import type { ProfileDocument, ProfilesStore } from '../profiles/profiles.store';
import type { IdentitiesStore, IdentityDocument } from './identities.store';
import type { IdentityLocks } from './identity-locks.store';
import { reachedProfiles } from './matching';
import { IdentitiesBusy, type Subject } from './subject';

interface Known {
  readonly ids: ReadonlyMap<string, Identity>;
  readonly documents: readonly IdentityDocument[];
  /** The profile of the highest-ranking identity that has one. */
  readonly profile: ProfileDocument | undefined;
  /** Identities without owner, the highest-ranking first; one whose profile was erased counts as such. */
  readonly free: readonly string[];
}

const TRIES = 500;
const PAUSE_MS = 10;

/** The one place where identities get their owners (protocol-notes, "When two identities meet"). */
export class Subjects {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly locks: IdentityLocks; readonly profiles: ProfilesStore },
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /**
   * The profile that `ranked` identities stand for, made if nobody knows any of them; those without owner become its own.
   * Throws IdentitiesBusy.
   */
  async identify(ws: string, ranked: readonly Identity[]): Promise<Subject> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (attempt > 0) await pause(PAUSE_MS);
      const known = await this.lookUp(ws, ranked);
      const subject = known.free.length === 0 ? await this.subjectOf(ws, known) : undefined;
      if (subject) return subject;
      if (known.free.length > 0) await this.giveOwner(ws, ranked, known.free);
    }
    throw new IdentitiesBusy('identities could not be given an owner');
  }

  /** The profiles that a request about these identities reaches, most of the time one or none. */
  async reach(ws: string, identities: readonly Identity[]): Promise<ProfileDocument[]> {
    const ids = await this.idsOf(ws, identities);
    const found = await this.stores.identities.find(ws, [...ids.keys()]);
    const named = identities.filter(({ type }) => type === 'mpid').map(({ value }) => ({ mpid: value, by: 'mpid' as const }));
    const leads = [...named, ...found.map(({ mpid, type }) => ({ mpid, by: type }))];
    const all = await this.stores.identities.findOf(ws, [...new Set(leads.map(({ mpid }) => mpid))]);
    const withLogin = new Set(all.filter(({ type }) => !isDeviceIdentity(type)).map(({ mpid }) => mpid));
    return this.stores.profiles.find(ws, reachedProfiles(leads, (mpid) => withLogin.has(mpid)));
  }

  private async lookUp(ws: string, ranked: readonly Identity[]): Promise<Known> {
    const ids = await this.idsOf(ws, ranked);
    const documents = await this.stores.identities.find(ws, [...ids.keys()]);
    const profiles = await this.stores.profiles.find(ws, [...new Set(documents.map(({ mpid }) => mpid))]);
    const ownerOf = (id: string): ProfileDocument | undefined => {
      const mpid = documents.find(({ _id }) => _id === id)?.mpid;
      return profiles.find((profile) => profile.mpid === mpid);
    };
    const inOrder = [...ids.keys()];
    return { ids, documents, profile: inOrder.map(ownerOf).find(Boolean), free: inOrder.filter((id) => !ownerOf(id)) };
  }

  /** Undefined: the profile is being erased right now, and a moment later it is gone. */
  private async subjectOf(ws: string, { ids, documents, profile }: Known): Promise<Subject | undefined> {
    const key = profile && (await this.vault.key(ws, profile.kid));
    if (!profile || !key) return undefined;
    const owned = documents.filter(({ mpid }) => mpid === profile.mpid).flatMap(({ _id }) => ids.get(_id) ?? []);
    return { mpid: profile.mpid, key, owned };
  }

  private async giveOwner(ws: string, ranked: readonly Identity[], wanted: readonly string[]): Promise<void> {
    const giveBack = await this.stores.locks.take(ws, wanted, this.clock.now());
    if (!giveBack) return;
    try {
      // What was free before the lock may have an owner by now, and that may even decide.
      const known = await this.lookUp(ws, ranked);
      if (known.free.every((id) => wanted.includes(id))) await this.attachFree(ws, known);
    } finally {
      await giveBack();
    }
  }

  private async attachFree(ws: string, known: Known): Promise<void> {
    if (known.free.length === 0) return;
    const profile = known.profile ?? (await this.newProfile(ws));
    const key = await this.vault.key(ws, profile.kid);
    if (!key) return;
    for (const orphan of known.documents.filter(({ _id }) => known.free.includes(_id))) await this.stores.identities.free(orphan);
    for (const _id of known.free) {
      const identity = known.ids.get(_id) as Identity;
      const sealed = key.seal({ ws, subject: profile.mpid, field: 'identity' }, identity.value);
      if (!(await this.stores.identities.attach({ _id, ws, mpid: profile.mpid, type: identity.type, sealed }))) return;
    }
  }

  private async newProfile(ws: string): Promise<ProfileDocument> {
    const mpid = randomBytes(8).readBigInt64BE().toString();
    const { kid } = await this.vault.newKey(ws, 'subject');
    return this.stores.profiles.create(ws, mpid, kid, this.clock.now());
  }

  private async idsOf(ws: string, identities: readonly Identity[]): Promise<ReadonlyMap<string, Identity>> {
    const index = await this.vault.index(ws);
    const lookedUp = identities.filter(({ type }) => type !== 'mpid');
    return new Map(lookedUp.map((identity) => [`${ws}:${index.of('identity', identity.type, identity.value)}`, identity]));
  }
}
