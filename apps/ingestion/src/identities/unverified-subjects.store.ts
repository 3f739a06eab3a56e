import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { refusalByPolicy, CallPolicy, type PolicyCounter } from './after-erasure';
import { modifiedAfterRefusal } from './identity-changes';
import { verifiedId } from './identity-id';
import { OwnerAssignment } from './owner-assignment';
import { Orphans } from './orphans';
import { SubjectMatcher, type UnverifiedMatch } from './subject-matcher';
import { SharedAttempts } from './shared-attempts';
import { SubjectReader, retryUntilResolved, type ResolutionAttempt } from './subject-reader.store';
import type {
  IdentityChange,
  Modified,
  NamedSubject,
  Refusal,
  DecoySubject,
  Subject,
  SubjectResolver,
} from './subject';
import type { SubjectsStores } from './subjects.store';

/**
 * Each deciding identity has a profile of its own, so that no caller sees or changes what others sent (decision 18).
 */
export class UnverifiedSubjects implements SubjectResolver {
  private readonly matcher: SubjectMatcher;
  private readonly ownerAssignment: OwnerAssignment;
  private readonly reader: SubjectReader;
  private readonly attempts = new SharedAttempts<ResolutionAttempt>();

  constructor(
    private readonly stores: SubjectsStores,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly counts: PolicyCounter,
  ) {
    this.matcher = new SubjectMatcher(stores, vault);
    this.ownerAssignment = new OwnerAssignment(stores, vault, new Orphans(stores, vault), clock);
    this.reader = new SubjectReader(stores, vault);
  }

  async identify(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal> {
    const applied = new CallPolicy(policy, this.counts);
    const subject = await this.resolve(ws, ranked, applied);
    return subject === 'dropped' ? this.answerToDropped(ws, ranked, applied) : subject;
  }

  identifyAnonymous(
    ws: string,
    devices: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal> {
    return this.identify(ws, devices, policy);
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
        ? await this.namesErased(ws, ranked, applied)
        : mpid !== undefined && (await this.reader.isErasedMpid(ws, mpid)),
    );
    if (refusal) return refusal;
    if (named) return named;
    return ranked.length === 0 ? undefined : this.resolve(ws, ranked, applied);
  }

  /** Stores nothing: the next call names its identities again. */
  async modify(
    ws: string,
    mpid: string,
    _changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    if (await this.findByMpid(ws, mpid)) return 'done';
    const refusal = new CallPolicy(policy, this.counts).apply(await this.reader.isErasedMpid(ws, mpid));
    return refusal === undefined ? 'unknown-profile' : modifiedAfterRefusal(refusal);
  }

  private async findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const subject = await this.reader.findByMpid(ws, mpid);
    return subject && (await this.matcher.isUnverified(ws, mpid)) ? subject : undefined;
  }

  private resolve(ws: string, ranked: readonly Identity[], applied: CallPolicy): Promise<Subject | Refusal> {
    const wanted = JSON.stringify({ ws, ranked, policy: applied.policy });
    return retryUntilResolved(async () => {
      const { isErased, answer } = await this.attempts.share(wanted, () => this.attempt(ws, ranked, applied.policy));
      applied.apply(isErased);
      return answer;
    });
  }

  private async attempt(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<ResolutionAttempt> {
    const findMatch = (): Promise<UnverifiedMatch> => this.matcher.matchUnverified(ws, ranked);
    const match = await findMatch();
    const isErased = await this.isErased(ws, ranked, match, policy);
    const refusal = isErased ? refusalByPolicy(policy) : undefined;
    if (refusal) return { isErased, answer: refusal };
    return {
      isErased,
      answer: await (match.unownedSlots.length === 0
        ? this.reader.openSubject(ws, match)
        : this.ownerAssignment.assign(ws, match.unownedSlots, findMatch)),
    };
  }

  /** Checks identities without owner only, and devices only if the call names nothing else. */
  private async isErased(
    ws: string,
    ranked: readonly Identity[],
    { unownedSlots, unknownSlots }: UnverifiedMatch,
    policy: AfterErasurePolicy,
  ): Promise<boolean> {
    const isOfDevices = ranked.every(({ type }) => isDeviceIdentity(type));
    const unknown = unknownSlots
      .filter(({ identity }) => isOfDevices || !isDeviceIdentity(identity.type))
      .map(({ _id }) => _id);
    const deciding = unownedSlots.map(({ _id }) => verifiedId(_id));
    // Other identities are stored only in the batch, so they do not matter if the policy accepts all.
    const asked = refusalByPolicy(policy) ? unknown : unknown.filter((id) => deciding.includes(id));
    return asked.length > 0 && this.stores.erased.holdsAny(ws, asked);
  }

  private async namesErased(ws: string, ranked: readonly Identity[], { policy }: CallPolicy): Promise<boolean> {
    if (ranked.length === 0 || refusalByPolicy(policy) === undefined) return false;
    return this.isErased(ws, ranked, await this.matcher.matchUnverified(ws, ranked), policy);
  }

  /** Must not reveal whether another identity was erased. Without key, so that nothing of the call is stored. */
  private async answerToDropped(
    ws: string,
    ranked: readonly Identity[],
    applied: CallPolicy,
  ): Promise<DecoySubject | Refusal> {
    const alone = await this.resolve(ws, ranked.slice(0, 1), applied);
    if (typeof alone === 'object') return { mpid: alone.mpid, ownedIdentities: alone.ownedIdentities };
    return alone === 'dropped' ? this.decoyOf(ws, ranked) : alone;
  }

  /** The mpid counts as erased, so that later calls for it are dropped too. */
  private async decoyOf(ws: string, ranked: readonly Identity[]): Promise<DecoySubject> {
    const [deciding] = ranked;
    if (!deciding) throw new TypeError('the call names no identity');
    const hash = (await this.vault.index(ws)).hash('stand-in', deciding.type, deciding.value);
    const mpid = Buffer.from(hash, 'base64url').readBigInt64BE().toString();
    await this.stores.erased.remember(ws, [await this.reader.mpidIdentityId(ws, mpid)], this.clock.now());
    return { mpid, ownedIdentities: [deciding] };
  }
}
