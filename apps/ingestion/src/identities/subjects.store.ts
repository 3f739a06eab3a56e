import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import { refusalByPolicy, CallPolicy, type PolicyCounter } from './after-erasure';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import type { IdentitiesStore } from './identities.store';
import { IdentityChanges, modifiedAfterRefusal } from './identity-changes';
import type { IdentityLocks } from './identity-locks.store';
import { OwnerAssignment } from './owner-assignment';
import { Orphans } from './orphans';
import { SubjectMatcher, type SubjectMatch, type IdentitySlot } from './subject-matcher';
import { SharedAttempts } from './shared-attempts';
import { SubjectReader, retryUntilResolved, type ResolutionAttempt } from './subject-reader.store';
import type { VerifiedSubjectResolver, IdentityChange, Modified, NamedSubject, Refusal, Subject } from './subject';

export interface SubjectsStores {
  readonly identities: IdentitiesStore;
  readonly locks: IdentityLocks;
  readonly profiles: ProfilesStore;
  readonly erased: ErasedIdentitiesStore;
}

interface SubjectQuery {
  readonly ws: string;
  readonly policy: AfterErasurePolicy;
  readonly kind: 'named' | 'anonymous';
  readonly ranked: readonly Identity[];
}

/** Assigns owners to verified identities (protocol, "When two identities meet"). */
export class Subjects implements VerifiedSubjectResolver {
  private readonly matcher: SubjectMatcher;
  private readonly ownerAssignment: OwnerAssignment;
  private readonly changes: IdentityChanges;
  private readonly reader: SubjectReader;
  private readonly attempts = new SharedAttempts<ResolutionAttempt>();

  constructor(
    private readonly stores: SubjectsStores,
    vault: Vault,
    clock: Clock,
    private readonly counts: PolicyCounter,
  ) {
    this.matcher = new SubjectMatcher(stores, vault);
    const orphans = new Orphans(stores, vault);
    this.ownerAssignment = new OwnerAssignment(stores, vault, orphans, clock);
    this.reader = new SubjectReader(stores, vault);
    this.changes = new IdentityChanges(stores, this.matcher, orphans, clock);
  }

  identify(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | Refusal> {
    return this.resolve({ ws, policy, kind: 'named', ranked });
  }

  identifyAnonymous(ws: string, devices: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | Refusal> {
    return this.resolve({ ws, policy, kind: 'anonymous', ranked: devices });
  }

  async search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined> {
    return this.reader.openSubject(ws, await this.matcher.match(ws, ranked));
  }

  findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    return this.reader.findByMpid(ws, mpid);
  }

  async modify(
    ws: string,
    mpid: string,
    changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    const applied = new CallPolicy(policy, this.counts);
    const checkRefusal = async (free: readonly IdentitySlot[]): Promise<Refusal | undefined> =>
      applied.apply(await this.isErased(ws, free, { mpid, ranked: free.map(({ identity }) => identity) }));
    return retryUntilResolved(async () => {
      const subject = await this.findByMpid(ws, mpid);
      // Unverified profiles take no verified identity: the attacker who chose the mpid would choose where data goes.
      if (subject && (await this.matcher.isUnverified(ws, mpid))) return 'unknown-profile';
      if (subject) return this.changes.apply(ws, subject, changes, checkRefusal);
      const refusal = applied.apply(await this.reader.isErasedMpid(ws, mpid));
      return refusal === undefined ? 'unknown-profile' : modifiedAfterRefusal(refusal);
    });
  }

  async resolveOwner(
    ws: string,
    { mpid, ranked }: NamedSubject,
    policy: AfterErasurePolicy,
  ): Promise<Subject | Refusal | undefined> {
    const applied = new CallPolicy(policy, this.counts);
    const named = mpid === undefined ? undefined : await this.findByMpid(ws, mpid);
    const refusal = applied.apply(
      named
        ? await this.namesErased(ws, { mpid, ranked }, policy)
        : mpid !== undefined && (await this.reader.isErasedMpid(ws, mpid)),
    );
    if (refusal) return refusal;
    if (named) return named;
    return ranked.length === 0 ? undefined : this.resolve({ ws, policy, kind: 'named', ranked }, applied);
  }

  private resolve(call: SubjectQuery, applied = new CallPolicy(call.policy, this.counts)): Promise<Subject | Refusal> {
    const wanted = JSON.stringify(call);
    return retryUntilResolved(async () => {
      const { isErased, answer } = await this.attempts.share(wanted, () => this.attempt(call));
      applied.apply(isErased);
      return answer;
    });
  }

  private async attempt({ ws, policy, kind, ranked }: SubjectQuery): Promise<ResolutionAttempt> {
    const findMatch = (): Promise<SubjectMatch> =>
      kind === 'named' ? this.matcher.match(ws, ranked) : this.matcher.matchAnonymous(ws, ranked);
    const match = await findMatch();
    // A profile without key is being erased, and will be gone at the next attempt.
    if (match.unownedSlots.length === 0) return { isErased: false, answer: await this.reader.openSubject(ws, match) };
    const isErased = await this.isErased(ws, match.unownedSlots, { ranked });
    const refusal = isErased ? refusalByPolicy(policy) : undefined;
    return { isErased, answer: refusal ?? (await this.ownerAssignment.assign(ws, match.unownedSlots, findMatch)) };
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

  /** A batch is stored unchanged, so it must not name an erased subject. The policy `accept` needs no check. */
  private async namesErased(ws: string, named: NamedSubject, policy: AfterErasurePolicy): Promise<boolean> {
    const { ranked } = named;
    if (ranked.length === 0 || refusalByPolicy(policy) === undefined) return false;
    const { unownedSlots } = await this.matcher.match(ws, ranked);
    return unownedSlots.length > 0 && this.isErased(ws, unownedSlots, named);
  }
}
