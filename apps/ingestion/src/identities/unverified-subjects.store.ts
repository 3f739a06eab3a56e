import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { notTakenBy, PolicyOfCall, type CountsAfterErasure } from './after-erasure';
import { modifiedBy } from './identity-changes';
import { ownId } from './identity-id';
import { NewOwners } from './new-owners';
import { Orphans } from './orphans';
import { Owners, type KnownUnverified } from './owners';
import { SharedTries } from './shared-tries';
import { SubjectReads, untilAnswered, type Tried } from './subject-reads.store';
import type { IdentityChange, Modified, NamedOwner, NotTaken, StandIn, Subject, TakesSubjects } from './subject';
import type { SubjectsStores } from './subjects.store';

/**
 * Whom calls by the public key alone stand for (decision 18). Each identity that decides such a call has a profile of its own, in which no
 * other identity and no verified one ever joins it: so nobody is told of, gets at or decides about what others brought.
 */
export class UnverifiedSubjects implements TakesSubjects {
  private readonly owners: Owners;
  private readonly newOwners: NewOwners;
  private readonly reads: SubjectReads;
  private readonly tries = new SharedTries<Tried>();

  constructor(
    private readonly stores: SubjectsStores,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly counts: CountsAfterErasure,
  ) {
    this.owners = new Owners(stores, vault);
    this.newOwners = new NewOwners(stores, vault, new Orphans(stores, vault), clock);
    this.reads = new SubjectReads(stores, vault);
  }

  async identify(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | StandIn | NotTaken> {
    const applied = new PolicyOfCall(policy, this.counts);
    const subject = await this.resolve(ws, ranked, applied);
    return subject === 'dropped' ? this.answerToDropped(ws, ranked, applied) : subject;
  }

  /** A device decides where nobody logs in on it, and so has its profile for itself. */
  identifyAnonymous(
    ws: string,
    devices: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | StandIn | NotTaken> {
    return this.identify(ws, devices, policy);
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
        ? await this.namesErased(ws, ranked, applied)
        : mpid !== undefined && (await this.reads.isErasedMpid(ws, mpid)),
    );
    if (refusal) return refusal;
    if (named) return named;
    return ranked.length === 0 ? undefined : this.resolve(ws, ranked, applied);
  }

  /** Nothing is kept of the changes: the next call names what it asserts. */
  async modify(
    ws: string,
    mpid: string,
    _changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    if (await this.byMpid(ws, mpid)) return 'done';
    const refusal = new PolicyOfCall(policy, this.counts).apply(await this.reads.isErasedMpid(ws, mpid));
    return refusal === undefined ? 'unknown-profile' : modifiedBy(refusal);
  }

  /** A verified profile is as unknown here as one that is not there. */
  private async byMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const subject = await this.reads.byMpid(ws, mpid);
    return subject && (await this.owners.isUnverified(ws, mpid)) ? subject : undefined;
  }

  private resolve(ws: string, ranked: readonly Identity[], applied: PolicyOfCall): Promise<Subject | NotTaken> {
    const wanted = JSON.stringify({ ws, ranked, policy: applied.policy });
    return untilAnswered(async () => {
      const { isErased, answer } = await this.tries.share(wanted, () => this.attempt(ws, ranked, applied.policy));
      applied.apply(isErased);
      return answer;
    });
  }

  private async attempt(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<Tried> {
    const look = (): Promise<KnownUnverified> => this.owners.knownUnverified(ws, ranked);
    const known = await look();
    const isErased = await this.isErased(ws, ranked, known, policy);
    const notTaken = isErased ? notTakenBy(policy) : undefined;
    if (notTaken) return { isErased, answer: notTaken };
    return {
      isErased,
      answer: await (known.free.length === 0
        ? this.reads.subjectOf(ws, known)
        : this.newOwners.give(ws, known.free, look)),
    };
  }

  /** As for verified identities: only what nobody owns is asked about, and devices only where nothing else is named. */
  private async isErased(
    ws: string,
    ranked: readonly Identity[],
    { free, strangers }: KnownUnverified,
    policy: AfterErasurePolicy,
  ): Promise<boolean> {
    const isOfDevices = ranked.every(({ type }) => isDeviceIdentity(type));
    const unknown = strangers
      .filter(({ identity }) => isOfDevices || !isDeviceIdentity(identity.type))
      .map(({ _id }) => _id);
    const deciding = free.map(({ _id }) => ownId(_id));
    // What does not decide is not kept as an identity, but in the batch: where all is accepted that changes nothing.
    const asked = notTakenBy(policy) ? unknown : unknown.filter((id) => deciding.includes(id));
    return asked.length > 0 && this.stores.erased.holdsAny(ws, asked);
  }

  private async namesErased(ws: string, ranked: readonly Identity[], { policy }: PolicyOfCall): Promise<boolean> {
    if (ranked.length === 0 || notTakenBy(policy) === undefined) return false;
    return this.isErased(ws, ranked, await this.owners.knownUnverified(ws, ranked), policy);
  }

  /** As the deciding identity alone is answered: whether another one beside it was erased does not show. Without key, so that nothing of the call is kept. */
  private async answerToDropped(
    ws: string,
    ranked: readonly Identity[],
    applied: PolicyOfCall,
  ): Promise<StandIn | NotTaken> {
    const alone = await this.resolve(ws, ranked.slice(0, 1), applied);
    if (typeof alone === 'object') return { mpid: alone.mpid, owned: alone.owned };
    return alone === 'dropped' ? this.standIn(ws, ranked) : alone;
  }

  /** Its mpid counts as erased, so that what the same caller sends for it is dropped alike. */
  private async standIn(ws: string, ranked: readonly Identity[]): Promise<StandIn> {
    const [deciding] = ranked;
    if (!deciding) throw new TypeError('a call that names nobody');
    const hash = (await this.vault.index(ws)).hash('stand-in', deciding.type, deciding.value);
    const mpid = Buffer.from(hash, 'base64url').readBigInt64BE().toString();
    await this.stores.erased.remember(ws, [await this.reads.idOfMpid(ws, mpid)], this.clock.now());
    return { mpid, owned: [deciding] };
  }
}
