import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import { identityId } from './identity-id';
import type { SubjectMatch } from './subject-matcher';
import { backoffDelaysMs } from './backoff';
import type { Refusal, Subject } from './subject';

const RETRY_AFTER_SECONDS = 1;

export interface ResolutionAttempt {
  readonly isErased: boolean;
  readonly answer: Subject | Refusal | undefined;
}

export class SubjectReader {
  constructor(
    private readonly stores: { readonly profiles: ProfilesStore; readonly erased: ErasedIdentitiesStore },
    private readonly vault: Vault,
  ) {}

  /** Undefined if no profile exists, or it is being erased. */
  async openSubject(
    ws: string,
    { profile, ownedIdentities }: Pick<SubjectMatch, 'profile' | 'ownedIdentities'>,
  ): Promise<Subject | undefined> {
    const key = profile && (await this.vault.key(ws, profile.kid));
    return profile && key && { mpid: profile.mpid, key, ownedIdentities };
  }

  async findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const [profile] = await this.stores.profiles.find(ws, [mpid]);
    return this.openSubject(ws, { profile, ownedIdentities: [] });
  }

  async isErasedMpid(ws: string, mpid: string): Promise<boolean> {
    return this.stores.erased.holdsAny(ws, [await this.mpidIdentityId(ws, mpid)]);
  }

  async mpidIdentityId(ws: string, mpid: string): Promise<string> {
    return identityId(ws, await this.vault.index(ws), { type: 'mpid', value: mpid });
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
