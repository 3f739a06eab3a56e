import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/runtime';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import type { CountsAfterErasure } from './after-erasure';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import type { IdentitiesStore } from './identities.store';
import { IdentityChanges, type NotTakenOf } from './identity-changes.store';
import type { IdentityLocks } from './identity-locks.store';
import { NewOwners } from './new-owners';
import { Owners, type Known } from './owners';
import { untilAnswered } from './pauses';
import { SharedTries } from './shared-tries';
import type { FindsSubjects, IdentityChange, Modified, NotTaken, Subject } from './subject';

export interface SubjectsStores {
  readonly identities: IdentitiesStore;
  readonly locks: IdentityLocks;
  readonly profiles: ProfilesStore;
  readonly erased: ErasedIdentitiesStore;
}

interface Call {
  readonly ws: string;
  readonly policy: AfterErasurePolicy;
  /** The same for calls that want the same. */
  readonly wanted: string;
  readonly look: () => Promise<Known>;
}

const NOT_TAKEN: Readonly<Record<AfterErasurePolicy, NotTaken | undefined>> = { accept: undefined, drop: 'dropped', reject: 'rejected' };

/** The one place where identities get their owners (protocol-notes, "When two identities meet"). */
export class Subjects implements FindsSubjects {
  private readonly owners: Owners;
  private readonly newOwners: NewOwners;
  private readonly changes: IdentityChanges;
  private readonly tries = new SharedTries<Subject | undefined>();

  constructor(
    private readonly stores: SubjectsStores,
    private readonly vault: Vault,
    clock: Clock,
    private readonly counts: CountsAfterErasure,
  ) {
    this.owners = new Owners(stores, vault);
    this.newOwners = new NewOwners(stores, vault, clock);
    this.changes = new IdentityChanges(stores, this.owners, clock);
  }

  identify(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | NotTaken> {
    return this.resolve({ ws, policy, wanted: JSON.stringify(['named', ws, ranked]), look: () => this.owners.known(ws, ranked) });
  }

  identifyAnonymous(ws: string, devices: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | NotTaken> {
    return this.resolve({ ws, policy, wanted: JSON.stringify(['anonymous', ws, devices]), look: () => this.owners.knownAnonymous(ws, devices) });
  }

  async search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined> {
    return this.subjectOf(ws, await this.owners.known(ws, ranked));
  }

  async byMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const [profile] = await this.stores.profiles.find(ws, [mpid]);
    return this.subjectOf(ws, { profile, owned: [] });
  }

  async modify(ws: string, mpid: string, changes: readonly IdentityChange[], policy: AfterErasurePolicy): Promise<Modified> {
    const isTaken = this.policyFor(ws, policy);
    return untilAnswered(async () => {
      const subject = await this.byMpid(ws, mpid);
      return subject ? this.changes.make(ws, subject, changes, isTaken) : 'unknown-profile';
    });
  }

  private async resolve({ ws, policy, wanted, look }: Call): Promise<Subject | NotTaken> {
    const notTaken = this.policyFor(ws, policy);
    return untilAnswered(async () => {
      const known = await look();
      // Without key the profile is being erased right now, and a moment later it is gone.
      if (known.free.length === 0) return this.subjectOf(ws, known);
      return (await notTaken(known.free)) ?? this.tries.share(wanted, () => this.newOwners.give(ws, known.free, look));
    });
  }

  /** What the policy says of places without owner; it is asked, and counted, once for a call. */
  private policyFor(ws: string, policy: AfterErasurePolicy): NotTakenOf {
    let isCounted = false;
    return async (free) => {
      if (isCounted || !(await this.stores.erased.holdsAny(ws, free.map(({ _id, device }) => device ?? _id)))) return undefined;
      isCounted = true;
      this.counts.counted(policy);
      return NOT_TAKEN[policy];
    };
  }

  private async subjectOf(ws: string, { profile, owned }: Pick<Known, 'profile' | 'owned'>): Promise<Subject | undefined> {
    const key = profile && (await this.vault.key(ws, profile.kid));
    return profile && key && { mpid: profile.mpid, key, owned };
  }
}
