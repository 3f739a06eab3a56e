import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '@opendsr-service/edge';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import { identityId } from './identity-id';
import type { Known } from './owners';
import { pausesMs } from './pauses';
import type { NotTaken, Subject } from './subject';

const RETRY_AFTER_SECONDS = 1;

/** What became of one try to answer a call. */
export interface Tried {
  /** Whether somebody who was erased is named. */
  readonly isErased: boolean;
  readonly answer: Subject | NotTaken | undefined;
}

/** Looks that calls of every standing need. */
export class SubjectReads {
  constructor(
    private readonly stores: { readonly profiles: ProfilesStore; readonly erased: ErasedIdentitiesStore },
    private readonly vault: Vault,
  ) {}

  /** Undefined where nobody is known, or the profile is being erased right now. */
  async subjectOf(ws: string, { profile, owned }: Pick<Known, 'profile' | 'owned'>): Promise<Subject | undefined> {
    const key = profile && (await this.vault.key(ws, profile.kid));
    return profile && key && { mpid: profile.mpid, key, owned };
  }

  async byMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const [profile] = await this.stores.profiles.find(ws, [mpid]);
    return this.subjectOf(ws, { profile, owned: [] });
  }

  async isErasedMpid(ws: string, mpid: string): Promise<boolean> {
    return this.stores.erased.holdsAny(ws, [await this.idOfMpid(ws, mpid)]);
  }

  /** Under what an mpid is remembered once it was erased. */
  async idOfMpid(ws: string, mpid: string): Promise<string> {
    return identityId(ws, await this.vault.index(ws), { type: 'mpid', value: mpid });
  }
}

/** Throws a 503 ApiError where identities could not be given an owner in time. */
export async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (const pauseMs of pausesMs()) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    await pause(pauseMs);
  }
  throw unavailable(RETRY_AFTER_SECONDS);
}
