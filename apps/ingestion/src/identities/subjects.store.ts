import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import { CallPolicy, refusalByPolicy } from './after-erasure';
import { IdentityChanges } from './identity-changes';
import type { IdentityChange, Modified, NamedSubject, Refusal, Subject } from './subject';
import type { IdentitySlot, SubjectMatch } from './subject-matcher';
import {
  retryUntilResolved,
  SubjectResolution,
  type ResolutionAttempt,
  type SubjectQuery,
} from './subject-resolution.store';

/** Assigns owners to verified identities (protocol, "When two identities meet"). */
export class Subjects extends SubjectResolution {
  private readonly changes = new IdentityChanges(this.stores, this.matcher, this.orphans, this.clock);

  /** The profile of the identities, created if none has an owner. Identities without owner are added to it. */
  identify(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | Refusal> {
    return this.resolve({ ws, policy, kind: 'named', ranked });
  }

  /** The profile of a subject who uses these devices without login, created if there is none. */
  identifyAnonymous(ws: string, devices: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | Refusal> {
    return this.resolve({ ws, policy, kind: 'anonymous', ranked: devices });
  }

  /**
   * The owner of the identities or the mpid. The mpid is what an SDK remembers of the last user: login identities decide before
   * it. Undefined: the mpid is unknown and there are no identities.
   */
  async resolveOwner(
    ws: string,
    { mpid, ranked }: NamedSubject,
    policy: AfterErasurePolicy,
  ): Promise<Subject | Refusal | undefined> {
    if (ranked.length > 0)
      return this.resolve({ ws, policy, kind: 'named', ranked, ...(mpid !== undefined && { mpid }) });
    return mpid === undefined ? undefined : this.ownerOfMpid(ws, mpid, policy);
  }

  async search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined> {
    return this.openSubject(ws, await this.matcher.match(ws, ranked));
  }

  async modify(
    ws: string,
    mpid: string,
    changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    const applied = new CallPolicy(policy, this.counts);
    const findErased = (free: readonly IdentitySlot[]): Promise<boolean> =>
      this.isErased(ws, free, { mpid, ranked: free.map(({ identity }) => identity) });
    return retryUntilResolved(async () => {
      const subject = await this.findByMpid(ws, mpid);
      // Unverified profiles take no verified identity: the attacker who chose the mpid would choose where data goes.
      if (subject && (await this.matcher.isUnverified(ws, mpid))) return 'unknown-profile';
      if (subject) return this.changes.apply(ws, subject, changes, { applied, findErased });
      return this.modifyUnknown(ws, mpid, applied);
    });
  }

  protected async attempt({ ws, policy, kind, ranked, mpid }: SubjectQuery): Promise<ResolutionAttempt> {
    const findMatch = (): Promise<SubjectMatch> =>
      kind === 'named' ? this.matcher.matchCall(ws, ranked, mpid) : this.matcher.matchAnonymous(ws, ranked);
    const match = await findMatch();
    const { unownedSlots, unknownMpid } = match;
    const named = { ranked, ...(mpid !== undefined && mpid === match.profile?.mpid && { mpid }) };
    const findErased = async (): Promise<boolean> =>
      (unknownMpid !== undefined && (await this.isErasedMpid(ws, unknownMpid))) ||
      (unownedSlots.length > 0 && (await this.isErased(ws, unownedSlots, named)));
    const isErased = await findErased();
    const refusal = isErased ? refusalByPolicy(policy) : undefined;
    if (refusal) return { isErased, answer: refusal };
    // A profile without key is being erased, and will be gone at the next attempt.
    if (await this.needsNoOwner(match)) return { isErased, answer: await this.openSubject(ws, match) };
    return { isErased, answer: await this.assign({ ws, policy }, match, { findMatch, findErased }) };
  }

  /** Whether the call writes nothing, so that it needs no lock: also where the profile is full, and only devices are new. */
  private async needsNoOwner({ profile, unownedSlots }: SubjectMatch): Promise<boolean> {
    const { identities, identityLimit } = this.stores;
    if (unownedSlots.length === 0) return true;
    return profile !== undefined && identityLimit.leavesOut(identities, profile, unownedSlots);
  }

  /**
   * Identities with an owner belong to a known subject. A device may have another user by now, so it counts only if the
   * call names nothing else.
   */
  private async isErased(ws: string, free: readonly IdentitySlot[], named: NamedSubject): Promise<boolean> {
    const asked = (await this.isOfDevices(ws, named))
      ? free
      : free.filter(({ identity }) => !isDeviceIdentity(identity.type));
    return this.stores.erased.holdsAny(
      ws,
      asked.map(({ _id }) => _id),
    );
  }

  private async isOfDevices(ws: string, { mpid, ranked }: NamedSubject): Promise<boolean> {
    if (!ranked.every(({ type }) => isDeviceIdentity(type))) return false;
    return mpid === undefined || !(await this.matcher.withLogin(ws, [mpid])).has(mpid);
  }
}
