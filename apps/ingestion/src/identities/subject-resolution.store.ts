import { setTimeout as pause } from 'node:timers/promises';
import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import { CallPolicy, refusalByPolicy, type PolicyCounter } from './after-erasure';
import { backoffDelaysMs } from './backoff';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import type { IdentitiesStore } from './identities.store';
import { modifiedAfterRefusal } from './identity-changes';
import { identityId } from './identity-id';
import type { IdentityLocks } from './identity-locks.store';
import { Orphans } from './orphans';
import { OwnerAssignment } from './owner-assignment';
import { SharedAttempts } from './shared-attempts';
import type { Modified, NamedSubject, Refusal, Subject } from './subject';
import { SubjectMatcher, type SubjectMatch } from './subject-matcher';

export interface SubjectsStores {
  readonly identities: IdentitiesStore;
  readonly locks: IdentityLocks;
  readonly profiles: ProfilesStore;
  readonly erased: ErasedIdentitiesStore;
}

export interface SubjectQuery {
  readonly ws: string;
  readonly policy: AfterErasurePolicy;
  readonly kind: 'named' | 'anonymous';
  readonly ranked: readonly Identity[];
}

export interface ResolutionAttempt {
  /** The call names an erased subject. */
  readonly isErased: boolean;
  readonly answer: Subject | Refusal | undefined;
}

const RETRY_AFTER_SECONDS = 1;

/** The common part of verified and unverified callers. */
export abstract class SubjectResolution {
  protected readonly matcher: SubjectMatcher;
  protected readonly orphans: Orphans;
  protected readonly ownerAssignment: OwnerAssignment;
  private readonly attempts = new SharedAttempts<ResolutionAttempt>();

  constructor(
    protected readonly stores: SubjectsStores,
    protected readonly vault: Vault,
    protected readonly clock: Clock,
    protected readonly counts: PolicyCounter,
  ) {
    this.matcher = new SubjectMatcher(stores, vault);
    this.orphans = new Orphans(stores, vault);
    this.ownerAssignment = new OwnerAssignment(stores, vault, this.orphans, clock);
  }

  async resolveOwner(
    ws: string,
    named: NamedSubject,
    policy: AfterErasurePolicy,
  ): Promise<Subject | Refusal | undefined> {
    const { mpid, ranked } = named;
    const applied = new CallPolicy(policy, this.counts);
    const subject = mpid === undefined ? undefined : await this.findByMpid(ws, mpid);
    const isErased = subject
      ? ranked.length > 0 && refusalByPolicy(policy) !== undefined && (await this.namesErased(ws, named, policy))
      : mpid !== undefined && (await this.isErasedMpid(ws, mpid));
    const refusal = applied.apply(isErased);
    if (refusal) return refusal;
    return subject ?? (ranked.length > 0 ? this.resolve({ ws, policy, kind: 'named', ranked }, applied) : undefined);
  }

  async findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const [profile] = await this.stores.profiles.find(ws, [mpid]);
    return this.openSubject(ws, { profile, ownedIdentities: [] });
  }

  protected abstract attempt(query: SubjectQuery): Promise<ResolutionAttempt>;

  /** A batch is stored unchanged, so it must not name an erased subject. The policy `accept` needs no check. */
  protected abstract namesErased(ws: string, named: NamedSubject, policy: AfterErasurePolicy): Promise<boolean>;

  protected resolve(
    query: SubjectQuery,
    applied = new CallPolicy(query.policy, this.counts),
  ): Promise<Subject | Refusal> {
    const wanted = JSON.stringify(query);
    return retryUntilResolved(async () => {
      const { isErased, answer } = await this.attempts.share(wanted, () => this.attempt(query));
      applied.apply(isErased);
      return answer;
    });
  }

  protected async modifyUnknown(ws: string, mpid: string, applied: CallPolicy): Promise<Modified> {
    const refusal = applied.apply(await this.isErasedMpid(ws, mpid));
    return refusal === undefined ? 'unknown-profile' : modifiedAfterRefusal(refusal);
  }

  /** Undefined if no profile exists, or it is being erased. */
  protected async openSubject(
    ws: string,
    { profile, ownedIdentities }: Pick<SubjectMatch, 'profile' | 'ownedIdentities'>,
  ): Promise<Subject | undefined> {
    const key = profile && (await this.vault.key(ws, profile.kid));
    return profile && key && { mpid: profile.mpid, key, ownedIdentities };
  }

  protected async mpidIdentityId(ws: string, mpid: string): Promise<string> {
    return identityId(ws, await this.vault.index(ws), { type: 'mpid', value: mpid });
  }

  private async isErasedMpid(ws: string, mpid: string): Promise<boolean> {
    return this.stores.erased.holdsAny(ws, [await this.mpidIdentityId(ws, mpid)]);
  }
}

/** Throws a 503 ApiError if no owner could be assigned in time. */
export async function retryUntilResolved<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (const pauseMs of backoffDelaysMs()) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    await pause(pauseMs);
  }
  throw unavailable(RETRY_AFTER_SECONDS);
}
