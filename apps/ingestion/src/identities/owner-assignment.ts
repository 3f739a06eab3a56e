import { randomBytes } from 'node:crypto';
import type { Clock } from '@opendsr-service/service';
import type { DataKey, Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import type { IdentityDocument } from './identities.store';
import type { HeldLocks } from './identity-locks.store';
import type { IdentityLimit } from './identity-limit';
import type { Orphans } from './orphans';
import type { SubjectMatch, IdentitySlot } from './subject-matcher';
import type { Subject } from './subject';

interface Owner {
  readonly mpid: string;
  readonly key: DataKey;
}

interface Asked {
  /** Reads the current owners. */
  readonly findMatch: () => Promise<SubjectMatch>;
  /** Whether the call is refused because it names an erased subject, as of now. */
  readonly isRefused: () => Promise<boolean>;
}

export class OwnerAssignment {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'locks' | 'profiles'> & {
      readonly identityLimit: IdentityLimit;
    },
    private readonly vault: Vault,
    private readonly orphans: Orphans,
    private readonly clock: Clock,
  ) {}

  /** Throws ProfileFull. Undefined: another call holds a lock or was faster, or the call is refused by now. */
  async assign(ws: string, wanted: SubjectMatch, { findMatch, isRefused }: Asked): Promise<Subject | undefined> {
    const wantedLocks = locksOf(wanted);
    const held = await this.stores.locks.acquire(ws, wantedLocks, this.clock.now());
    if (!held) return undefined;
    try {
      // Before the lock another call may have assigned owners, even to the deciding identity.
      const match = await findMatch();
      const isHeld = locksOf(match).every((_id) => wantedLocks.includes(_id));
      return isHeld && !this.isLate(held) ? await this.attach(ws, match, held, isRefused) : undefined;
    } finally {
      await held.release();
    }
  }

  private async attach(
    ws: string,
    match: SubjectMatch,
    held: HeldLocks,
    isRefused: Asked['isRefused'],
  ): Promise<Subject | undefined> {
    const { profile, ownedIdentities, unownedSlots } = match;
    if (!(await this.release(ws, match, held))) return undefined;
    const key = await (profile ? this.vault.key(ws, profile.kid) : this.vault.newKey(ws, 'subject'));
    if (!key) return undefined;
    const owner = { mpid: profile?.mpid ?? newMpid(), key };
    const { identities, identityLimit } = this.stores;
    const added = profile ? await identityLimit.fitting(identities, profile, unownedSlots) : unownedSlots;
    const attached = added.map((slot) => identityOf(ws, owner, slot));
    const stands = () => this.stands(held, isRefused);
    const isOwner = await (profile
      ? identities.attachIf(attached, stands)
      : this.create(ws, owner, attached, { held, stands }));
    return isOwner
      ? { ...owner, ownedIdentities: [...ownedIdentities, ...added.map(({ identity }) => identity)] }
      : undefined;
  }

  private async release(ws: string, { orphans, outgrown = [] }: SubjectMatch, held: HeldLocks): Promise<boolean> {
    if (!(await this.orphans.release(ws, orphans)) || this.isLate(held)) return false;
    await this.stores.identities.detach(outgrown);
    return true;
  }

  /** An erasure that does not find what is attached now has recorded before whom it erases. */
  private async stands(held: HeldLocks, isRefused: Asked['isRefused']): Promise<boolean> {
    return !(await isRefused()) && !this.isLate(held);
  }

  /** Creates the profile last: until then its identities count as free, so a crash leaves no unreachable profile. */
  private async create(
    ws: string,
    { mpid, key: { kid } }: Owner,
    attached: readonly IdentityDocument[],
    { held, stands }: { readonly held: HeldLocks; readonly stands: () => Promise<boolean> },
  ): Promise<boolean> {
    const { identities, profiles } = this.stores;
    let isUndisputed = false;
    try {
      isUndisputed = (await identities.attach(attached)) && (await stands());
    } finally {
      if (!isUndisputed) await this.orphans.discard(ws, { mpid, kid });
    }
    if (!isUndisputed) return false;
    const isCreated = await profiles.create(ws, mpid, kid, this.clock.now());
    if (!this.isLate(held)) return isCreated;
    // The next try uses what stands. No call can have found a profile whose identities were taken before it came.
    if (isCreated && !(await this.vault.key(ws, kid))) await profiles.removeData(ws, mpid);
    return false;
  }

  /** Another call may hold the locks. A write may wait for long, so it is asked before and after each. */
  private isLate({ until }: HeldLocks): boolean {
    return this.clock.now() >= until;
  }
}

const locksOf = ({ unownedSlots, guardId }: SubjectMatch): string[] => [
  ...unownedSlots.map(({ _id }) => _id),
  ...(guardId === undefined ? [] : [guardId]),
];

export function identityOf(
  ws: string,
  { mpid, key }: Owner,
  { _id, identity, deviceId }: IdentitySlot,
): IdentityDocument {
  const sealed = key.seal({ ws, subject: mpid, field: 'identity' }, identity.value);
  return {
    _id,
    ws,
    mpid,
    kid: key.kid,
    type: identity.type,
    sealed,
    ...(deviceId !== undefined && { deviceId }),
  };
}

const newMpid = (): string => randomBytes(8).readBigInt64BE().toString();
