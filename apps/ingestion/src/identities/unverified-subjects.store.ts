import { isDeviceIdentity, type AfterErasurePolicy, type Identity } from '@opendsr-service/contracts';
import { CallPolicy, refusalByPolicy, refusesErased } from './after-erasure';
import { verifiedId } from './identity-id';
import type { DecoySubject, IdentityChange, Modified, NamedSubject, Refusal, Subject } from './subject';
import type { UnverifiedMatch } from './subject-matcher';
import { SubjectResolution, type ResolutionAttempt, type SubjectQuery } from './subject-resolution.store';

/**
 * Each deciding identity has a profile of its own, so that no caller sees or changes what others sent (decision 18).
 */
export class UnverifiedSubjects extends SubjectResolution {
  async identify(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal> {
    const applied = new CallPolicy(policy, this.counts);
    const subject = await this.resolve({ ws, policy, kind: 'named', ranked }, applied);
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
    if (ranked.length === 0) return mpid === undefined ? undefined : this.ownerOfMpid(ws, mpid, policy);
    const applied = new CallPolicy(policy, this.counts);
    const subject = mpid === undefined ? undefined : await this.findByMpid(ws, mpid);
    const isErased = subject
      ? await refusesErased(policy, () => this.namesErased(ws, ranked, policy))
      : mpid !== undefined && (await this.isErasedMpid(ws, mpid));
    return applied.apply(isErased) ?? subject ?? this.resolve({ ws, policy, kind: 'named', ranked }, applied);
  }

  /** Stores nothing: the next call names its identities again. */
  async modify(
    ws: string,
    mpid: string,
    _changes: readonly IdentityChange[],
    policy: AfterErasurePolicy,
  ): Promise<Modified> {
    if (await this.findByMpid(ws, mpid)) return 'done';
    return this.modifyUnknown(ws, mpid, new CallPolicy(policy, this.counts));
  }

  override async findByMpid(ws: string, mpid: string): Promise<Subject | undefined> {
    const subject = await super.findByMpid(ws, mpid);
    return subject && (await this.matcher.isUnverified(ws, mpid)) ? subject : undefined;
  }

  protected async attempt({ ws, ranked, policy }: SubjectQuery): Promise<ResolutionAttempt> {
    const findMatch = (): Promise<UnverifiedMatch> => this.matcher.matchUnverified(ws, ranked);
    const match = await findMatch();
    const findErased = (): Promise<boolean> => this.isErased(ws, ranked, match, policy);
    const isErased = await findErased();
    const refusal = isErased ? refusalByPolicy(policy) : undefined;
    if (refusal) return { isErased, answer: refusal };
    return {
      isErased,
      answer: await (match.unownedSlots.length === 0
        ? this.openSubject(ws, match)
        : this.assign({ ws, policy }, match, { findMatch, findErased })),
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

  /** A batch is stored unchanged, so it must not name an erased subject. */
  private async namesErased(ws: string, ranked: readonly Identity[], policy: AfterErasurePolicy): Promise<boolean> {
    return this.isErased(ws, ranked, await this.matcher.matchUnverified(ws, ranked), policy);
  }

  /** Must not reveal whether another identity was erased. Without key, so that nothing of the call is stored. */
  private async answerToDropped(
    ws: string,
    ranked: readonly Identity[],
    applied: CallPolicy,
  ): Promise<DecoySubject | Refusal> {
    const alone = await this.resolve(
      { ws, policy: applied.policy, kind: 'named', ranked: ranked.slice(0, 1) },
      applied,
    );
    if (typeof alone === 'object') return { mpid: alone.mpid, ownedIdentities: alone.ownedIdentities };
    return alone === 'dropped' ? this.decoyOf(ws, ranked) : alone;
  }

  /** The mpid counts as erased, so that later calls for it are dropped too. */
  private async decoyOf(ws: string, ranked: readonly Identity[]): Promise<DecoySubject> {
    const [deciding] = ranked;
    if (!deciding) throw new TypeError('the call names no identity');
    const hash = (await this.vault.index(ws)).hash('stand-in', deciding.type, deciding.value);
    const mpid = Buffer.from(hash, 'base64url').readBigInt64BE().toString();
    await this.stores.erased.remember(ws, [await this.mpidIdentityId(ws, mpid)], this.clock.now());
    return { mpid, ownedIdentities: [deciding] };
  }
}
