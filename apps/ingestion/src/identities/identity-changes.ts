import type { Clock } from '@opendsr-service/service';
import type { IngestionCollections } from '../database.config';
import { refusesErased, type CallPolicy } from './after-erasure';
import { addingOf, planChanges, type ChangeOfIds, type ChangesMade } from './plan-changes';
import type { IdentityLimit } from './identity-limit';
import type { HeldLocks } from './identity-locks.store';
import { identityOf } from './owner-assignment';
import type { Orphans } from './orphans';
import type { SubjectMatcher, IdentitySlot } from './subject-matcher';
import type { IdentityChange, Modified, Refusal, Subject } from './subject';

interface Asked {
  readonly applied: CallPolicy;
  readonly findErased: (free: readonly IdentitySlot[]) => Promise<boolean>;
}

/** Changes the identities of a profile, under the locks of all identities that the changes name. */
export class IdentityChanges {
  constructor(
    private readonly stores: Pick<IngestionCollections, 'identities' | 'locks'> & {
      readonly identityLimit: IdentityLimit;
    },
    private readonly owners: SubjectMatcher,
    private readonly orphans: Orphans,
    private readonly clock: Clock,
  ) {}

  /** Undefined: another call holds a lock. */
  async apply(
    ws: string,
    subject: Subject,
    changes: readonly IdentityChange[],
    asked: Asked,
  ): Promise<Modified | undefined> {
    const changedSlots = await Promise.all(changes.map((change) => this.slotsOfChange(ws, change)));
    const slots = new Map(changedSlots.flatMap(({ from, to }) => [...from, ...to]).map((slot) => [slot._id, slot]));
    const held = await this.stores.locks.acquire(ws, [...slots.keys()], this.clock.now());
    if (!held) return undefined;
    try {
      return await this.applyLocked({ ws, subject, slots, held }, changedSlots.map(idsOf), asked);
    } finally {
      await held.release();
    }
  }

  private async applyLocked(
    { ws, subject, slots, held }: LockedChange,
    changes: readonly ChangeOfIds[],
    { applied, findErased }: Asked,
  ): Promise<Modified | undefined> {
    const { documents, ownerOf } = await this.owners.findOwners(ws, [...slots.values()]);
    const plan = planChanges(subject.mpid, changes, (id) => ownerOf(id)?.mpid);
    if ('refused' in plan) return plan;
    if (await this.areTooMany(ws, subject.mpid, plan)) return { refused: addingOf(changes, plan.add) };
    const added = [...slots.values()].filter(({ _id }) => plan.add.includes(_id));
    const refusal = applied.apply(await findErased(added));
    if (refusal) return modifiedAfterRefusal(refusal);
    const isLate = () => this.clock.now() >= held.until;
    if (isLate()) return undefined;
    const standing = (ids: readonly string[]) => documents.filter(({ _id }) => ids.includes(_id));
    if (!(await this.orphans.release(ws, standing(plan.add))) || isLate()) return undefined;
    const mine = added.map((slot) => identityOf(ws, subject, slot));
    // Adds before it removes: a crash leaves too many identities rather than too few, and the call can be repeated.
    // An erasure that does not find what is attached now has recorded before whom it erases.
    const stands = async () => !(await refusesErased(applied.policy, () => findErased(added))) && !isLate();
    if (!(await this.stores.identities.attachIf(mine, stands))) return undefined;
    await this.stores.identities.detach(standing(plan.remove));
    return 'done';
  }

  private async areTooMany(ws: string, mpid: string, { add, remove }: ChangesMade): Promise<boolean> {
    const { identities, identityLimit } = this.stores;
    return (
      add.length > remove.length && add.length > (await identityLimit.roomIn(identities, ws, mpid)) + remove.length
    );
  }

  private async slotsOfChange(ws: string, { from, to }: IdentityChange): Promise<ChangedSlots> {
    const removed = from ? [from] : [];
    const [own, anonymous, added] = await Promise.all([
      this.owners.slotsOf(ws, removed),
      this.owners.anonymousSlotsOf(ws, removed),
      this.owners.slotsOf(ws, to ? [to] : []),
    ]);
    return { from: [...own, ...anonymous], to: added };
  }
}

export const modifiedAfterRefusal = (refusal: Refusal): Modified => (refusal === 'rejected' ? 'rejected' : 'done');

interface LockedChange {
  readonly ws: string;
  readonly subject: Subject;
  readonly slots: ReadonlyMap<string, IdentitySlot>;
  readonly held: HeldLocks;
}

interface ChangedSlots {
  readonly from: readonly IdentitySlot[];
  readonly to: readonly IdentitySlot[];
}

const idsOf = ({ from, to: [to] }: ChangedSlots): ChangeOfIds => ({
  from: from.map(({ _id }) => _id),
  ...(to && { to: to._id }),
});
