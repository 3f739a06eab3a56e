import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { ProfilesStore } from '../profiles/profiles.store';
import { notTakenBy, PolicyOfCall, type CountsAfterErasure } from './after-erasure';
import type { ErasedIdentitiesStore } from './erased-identities.store';
import type { IdentitiesStore } from './identities.store';
import { IdentityChanges, modifiedBy } from './identity-changes';
import type { IdentityLocks } from './identity-locks.store';
import { NewOwners } from './new-owners';
import { Orphans } from './orphans';
import { Owners, type Known, type Place } from './owners';
import { SharedTries } from './shared-tries';
import { SubjectReads, untilAnswered, type Tried } from './subject-reads.store';
import type { FindsSubjects, IdentityChange, Modified, NamedOwner, NotTaken, Subject } from './subject';

export interface SubjectsStores {
  readonly identities: IdentitiesStore;
  readonly locks: IdentityLocks;
  readonly profiles: ProfilesStore;
  readonly erased: ErasedIdentitiesStore;
}

interface Call {
  readonly ws: string;
  readonly policy: AfterErasurePolicy;
  readonly kind: 'named' | 'anonymous';
  readonly ranked: readonly Identity[];
}

/** The one place where verified identities get their owners (protocol, "When two identities meet"). */
export class Subjects implements FindsSubjects {
  private readonly owners: Owners;
  private readonly newOwners: NewOwners;
  private readonly changes: IdentityChanges;
  private readonly reads: SubjectReads;
  private readonly tries = new SharedTries<Tried>();

  constructor(
    private readonly stores: SubjectsStores,
    vault: Vault,
    clock: Clock,
    private readonly counts: CountsAfterErasure,
  ) {
    this.owners = new Owners(stores, vault);
    const orphans = new Orphans(stores, vault);
    this.newOwners = new NewOwners(stores, vault, orphans, clock);
    this.reads = new SubjectReads(stores, vault);
    this.changes = new IdentityChanges(stores, this.owners, orphans, clock);
  }

  identify(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | NotTaken> {
    return this.resolve({ ws, policy, kind: 'named', ranked });
  }

  identifyAnonymous(ws: string, devices: readonly Identity[], policy: AfterErasurePolicy): Promise<Subject | NotTaken> {
    return this.resolve({ ws, policy, kind: 'anonymous', ranked: devices });
  }

  async search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined> {
    return this.reads.subjectOf(ws, await this.owners.known(ws, ranked));
  }

  byMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    return this.reads.byMpid(ws, mpid);
  }

  async modify(
    ws: string,
    mpid: string,
    changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    const applied = new PolicyOfCall(policy, this.counts);
    const notTaken = async (free: readonly Place[]): Promise<NotTaken | undefined> =>
      applied.apply(await this.isErased(ws, free, { mpid, ranked: free.map(({ identity }) => identity) }));
    return untilAnswered(async () => {
      const subject = await this.byMpid(ws, mpid);
      // What pages tell is no proof of whose identities are: who chose the mpid would choose whose data they lead to.
      if (subject && (await this.owners.isUnverified(ws, mpid))) return 'unknown-profile';
      if (subject) return this.changes.make(ws, subject, changes, notTaken);
      const refusal = applied.apply(await this.reads.isErasedMpid(ws, mpid));
      return refusal === undefined ? 'unknown-profile' : modifiedBy(refusal);
    });
  }

  async ownerOf(
    ws: string,
    { mpid, ranked }: NamedOwner,
    policy: AfterErasurePolicy,
  ): Promise<Subject | NotTaken | undefined> {
    const applied = new PolicyOfCall(policy, this.counts);
    const named = mpid === undefined ? undefined : await this.byMpid(ws, mpid);
    const refusal = applied.apply(
      named
        ? await this.mustNotHold(ws, { mpid, ranked }, policy)
        : mpid !== undefined && (await this.reads.isErasedMpid(ws, mpid)),
    );
    if (refusal) return refusal;
    if (named) return named;
    return ranked.length === 0 ? undefined : this.resolve({ ws, policy, kind: 'named', ranked }, applied);
  }

  private resolve(call: Call, applied = new PolicyOfCall(call.policy, this.counts)): Promise<Subject | NotTaken> {
    const wanted = JSON.stringify(call);
    return untilAnswered(async () => {
      const { isErased, answer } = await this.tries.share(wanted, () => this.attempt(call));
      applied.apply(isErased);
      return answer;
    });
  }

  private async attempt({ ws, policy, kind, ranked }: Call): Promise<Tried> {
    const look = (): Promise<Known> =>
      kind === 'named' ? this.owners.known(ws, ranked) : this.owners.knownAnonymous(ws, ranked);
    const known = await look();
    // Without key the profile is being erased right now, and a moment later it is gone.
    if (known.free.length === 0) return { isErased: false, answer: await this.reads.subjectOf(ws, known) };
    const isErased = await this.isErased(ws, known.free, { ranked });
    const notTaken = isErased ? notTakenBy(policy) : undefined;
    return { isErased, answer: notTaken ?? (await this.newOwners.give(ws, known.free, look)) };
  }

  /**
   * Asked about what nobody owns alone: whoever was taken in again is known again. And about devices only where nothing but devices
   * tells who it is: they pass through several hands, and what somebody erased has used may be somebody else's by now.
   */
  private async isErased(ws: string, free: readonly Place[], named: NamedOwner): Promise<boolean> {
    const asked = (await this.isOfDevices(ws, named))
      ? free
      : free.filter(({ identity }) => !isDeviceIdentity(identity.type));
    return this.stores.erased.holdsAny(
      ws,
      asked.map(({ _id }) => _id),
    );
  }

  private async isOfDevices(ws: string, { mpid, ranked }: NamedOwner): Promise<boolean> {
    if (!ranked.every(({ type }) => isDeviceIdentity(type))) return false;
    return mpid === undefined || !(await this.owners.withLogin(ws, [mpid])).has(mpid);
  }

  /**
   * Whether a batch of a known mpid names somebody erased besides: it is kept as it came, and so would hold what was erased. Where all
   * is accepted this decides nothing, and is not looked at.
   */
  private async mustNotHold(ws: string, named: NamedOwner, policy: AfterErasurePolicy): Promise<boolean> {
    const { ranked } = named;
    if (ranked.length === 0 || notTakenBy(policy) === undefined) return false;
    const { free } = await this.owners.known(ws, ranked);
    return free.length > 0 && this.isErased(ws, free, named);
  }
}
