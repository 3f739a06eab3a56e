import { setTimeout as pause } from 'node:timers/promises';
import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { IngestionCollections } from '../database.config';
import { CallPolicy, refusesErased, type AfterErasureCounts } from './after-erasure';
import { backoffDelaysMs } from './backoff';
import { modifiedAfterRefusal } from './identity-changes';
import { identityId } from './identity-id';
import type { IdentityLimit } from './identity-limit';
import { Orphans } from './orphans';
import { OwnerAssignment } from './owner-assignment';
import { SharedAttempts } from './shared-attempts';
import type { Modified, Refusal, Subject } from './subject';
import { SubjectMatcher, type SubjectMatch } from './subject-matcher';

interface SubjectsStores extends Pick<IngestionCollections, 'identities' | 'locks' | 'profiles' | 'erased'> {
  readonly identityLimit: IdentityLimit;
}

export interface SubjectQuery {
  readonly ws: string;
  readonly policy: AfterErasurePolicy;
  readonly kind: 'named' | 'anonymous';
  readonly ranked: readonly Identity[];
  readonly mpid?: string;
}

export interface ResolutionAttempt {
  /** The call names an erased subject. */
  readonly isErased: boolean;
  readonly answer: Subject | Refusal | undefined;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * The common part of verified and unverified callers. The deciding identity is first. Writing methods throw ProfileFull, or a
 * 503 ApiError if no owner could be assigned in time.
 */
export abstract class SubjectResolution {
  protected readonly matcher: SubjectMatcher;
  protected readonly orphans: Orphans;
  private readonly ownerAssignment: OwnerAssignment;
  private readonly attempts = new SharedAttempts<ResolutionAttempt>();

  constructor(
    protected readonly stores: SubjectsStores,
    protected readonly vault: Vault,
    protected readonly clock: Clock,
    protected readonly counts: Pick<AfterErasureCounts, 'countApplied'>,
  ) {
    this.matcher = new SubjectMatcher(stores, vault);
    this.orphans = new Orphans(stores, vault);
    this.ownerAssignment = new OwnerAssignment(stores, vault, this.orphans, clock);
  }

  async findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const [profile] = await this.stores.profiles.find(ws, [mpid]);
    return this.openSubject(ws, { profile, ownedIdentities: [] });
  }

  protected abstract attempt(query: SubjectQuery): Promise<ResolutionAttempt>;

  /** Undefined: the next attempt reads again. */
  protected assign(
    { ws, policy }: Pick<SubjectQuery, 'ws' | 'policy'>,
    match: SubjectMatch,
    asked: { readonly findMatch: () => Promise<SubjectMatch>; readonly findErased: () => Promise<boolean> },
  ): Promise<Subject | undefined> {
    const isRefused = () => refusesErased(policy, asked.findErased);
    return this.ownerAssignment.assign(ws, match, { findMatch: asked.findMatch, isRefused });
  }

  /** Undefined: the mpid is unknown. */
  protected async ownerOfMpid(
    ws: string,
    mpid: string,
    policy: AfterErasurePolicy,
  ): Promise<Subject | Refusal | undefined> {
    const subject = await this.findByMpid(ws, mpid);
    return subject ?? new CallPolicy(policy, this.counts).apply(await this.isErasedMpid(ws, mpid));
  }

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

  protected async isErasedMpid(ws: string, mpid: string): Promise<boolean> {
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
