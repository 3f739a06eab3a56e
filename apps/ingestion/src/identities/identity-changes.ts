import type { Clock } from '@opendsr-service/service';
import type { IdentitiesStore } from './identities.store';
import { planChanges, type ChangeOfIds } from './plan-changes';
import type { HeldLocks, IdentityLocks } from './identity-locks.store';
import { identityOf } from './new-owners';
import type { Orphans } from './orphans';
import type { Owners, Place } from './owners';
import type { IdentityChange, Modified, NotTaken, Subject } from './subject';

/** What becomes of a call that names these, which nobody owns. */
export type NotTakenOf = (free: readonly Place[]) => Promise<NotTaken | undefined>;

/** Changes the identities of a profile, under the locks of all that the changes name. */
export class IdentityChanges {
  constructor(
    private readonly stores: { readonly identities: IdentitiesStore; readonly locks: IdentityLocks },
    private readonly owners: Owners,
    private readonly orphans: Orphans,
    private readonly clock: Clock,
  ) {}

  /** Undefined: somebody else is at one of the identities. */
  async make(
    ws: string,
    subject: Subject,
    changes: readonly IdentityChange[],
    notTaken: NotTakenOf,
  ): Promise<Modified | undefined> {
    const placed = await Promise.all(changes.map((change) => this.place(ws, change)));
    const places = new Map(placed.flatMap(({ from, to }) => [...from, ...to]).map((place) => [place._id, place]));
    const held = await this.stores.locks.take(ws, [...places.keys()], this.clock.now());
    if (!held) return undefined;
    try {
      return await this.makeHeld({ ws, subject, places, held }, placed.map(idsOf), notTaken);
    } finally {
      await held.giveBack();
    }
  }

  private async makeHeld(
    { ws, subject, places, held }: Held,
    changes: readonly ChangeOfIds[],
    notTaken: NotTakenOf,
  ): Promise<Modified | undefined> {
    const { documents, ownerAt } = await this.owners.find(ws, [...places.values()]);
    const plan = planChanges(subject.mpid, changes, (id) => ownerAt(id)?.mpid);
    if ('refused' in plan) return plan;
    const added = [...places.values()].filter(({ _id }) => plan.add.includes(_id));
    const refusal = await notTaken(added);
    if (refusal) return modifiedBy(refusal);
    if (this.clock.now() >= held.until) return undefined;
    const standing = (ids: readonly string[]) => documents.filter(({ _id }) => ids.includes(_id));
    await this.orphans.free(ws, standing(plan.add));
    const mine = added.map((place) => identityOf(ws, subject, place));
    // What is new comes first: a call that dies in between leaves more than it should rather than less, and may be repeated.
    if (!(await this.stores.identities.attach(mine))) {
      await this.stores.identities.free(mine);
      return undefined;
    }
    await this.stores.identities.free(standing(plan.remove));
    return 'done';
  }

  private async place(
    ws: string,
    { from, to }: IdentityChange,
  ): Promise<{ readonly from: readonly Place[]; readonly to: readonly Place[] }> {
    const leaving = from ? [from] : [];
    const [own, asUnknown, coming] = await Promise.all([
      this.owners.places(ws, leaving),
      this.owners.anonymousPlaces(ws, leaving),
      this.owners.places(ws, to ? [to] : []),
    ]);
    return { from: [...own, ...asUnknown], to: coming };
  }
}

/** What a call is told whose changes the policy does not take: a drop is silent. */
export const modifiedBy = (refusal: NotTaken): Modified => (refusal === 'rejected' ? 'rejected' : 'done');

interface Held {
  readonly ws: string;
  readonly subject: Subject;
  readonly places: ReadonlyMap<string, Place>;
  readonly held: HeldLocks;
}

const idsOf = ({
  from,
  to: [to],
}: {
  readonly from: readonly Place[];
  readonly to: readonly Place[];
}): ChangeOfIds => ({
  from: from.map(({ _id }) => _id),
  ...(to && { to: to._id }),
});
