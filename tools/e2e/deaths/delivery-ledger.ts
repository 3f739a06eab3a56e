import type { RequestStatus } from '@opendsr-service/contracts';

/** An attempt of a callback as its receiver sees it. */
export interface Heard {
  readonly status: RequestStatus;
  /** The id that every try of one callback carries. */
  readonly delivery: string;
  readonly body: Buffer;
  /** Whether it passed every check of a controller. */
  readonly isBelieved: boolean;
  readonly isAccepted: boolean;
}

/** The faults of deliveries; every list is empty without faults. */
export interface Faults {
  /** Callbacks that were never accepted. */
  readonly lost: readonly string[];
  /** Tries that came after one of a later status of their destination, or before the earlier ones were accepted. */
  readonly disordered: readonly string[];
  /** Tries of one callback that differ, in their bytes or their id, or share the id of another. */
  readonly unlike: readonly string[];
  /** Tries that no controller would believe. */
  readonly unbelieved: readonly string[];
}

/** All callbacks that receivers got during the deaths of senders, and all expected ones, by destination. */
export class DeliveryLedger {
  private readonly heard: Map<string, Heard[]>;
  private readonly taken = new Set<string>();

  /** By destination: the statuses that are to come, in their order. */
  constructor(private readonly expected: ReadonlyMap<string, readonly RequestStatus[]>) {
    this.heard = new Map([...expected.keys()].map((destination) => [destination, []]));
  }

  note(destination: string, heard: Heard): void {
    const all = this.heard.get(destination);
    if (!all) throw new Error('an unexpected callback came');
    all.push(heard);
    if (heard.isAccepted) this.taken.add(`${destination} ${heard.status}`);
  }

  /** How many callbacks are to be accepted in all, and how many were. */
  get total(): number {
    return [...this.expected.values()].reduce((sum, statuses) => sum + statuses.length, 0);
  }

  get accepted(): number {
    return this.taken.size;
  }

  /** Accepted tries beyond the first of each callback. */
  get repeats(): number {
    return (
      this.destinations().reduce((sum, [, all]) => sum + all.filter(({ isAccepted }) => isAccepted).length, 0) -
      this.accepted
    );
  }

  faults(): Faults {
    return {
      lost: [...this.expected]
        .flatMap(([destination, statuses]) => statuses.map((status) => `${destination} ${status}`))
        .filter((callback) => !this.taken.has(callback)),
      disordered: this.destinations().flatMap(([destination, all]) =>
        isInOrder(all, this.expected.get(destination) ?? [])
          ? []
          : [`${destination} ${all.map(({ status }) => status).join(' ')}`],
      ),
      unlike: this.unlike(),
      unbelieved: this.destinations().flatMap(([destination, all]) =>
        all.filter(({ isBelieved }) => !isBelieved).map(({ status }) => `${destination} ${status}`),
      ),
    };
  }

  private destinations(): [destination: string, heard: Heard[]][] {
    return [...this.heard];
  }

  private unlike(): string[] {
    const firsts = new Map<string, { readonly callback: string; readonly heard: Heard }>();
    return this.destinations().flatMap(([destination, all]) => {
      const firstOf = new Map<string, Heard>();
      return all.flatMap((heard) => {
        const callback = `${destination} ${heard.status}`;
        const first = firstOf.get(heard.status) ?? heard;
        firstOf.set(heard.status, first);
        const owner = firsts.get(heard.delivery) ?? { callback, heard };
        firsts.set(heard.delivery, owner);
        return first.delivery === heard.delivery && first.body.equals(heard.body) && owner.callback === callback
          ? []
          : [callback];
      });
    });
  }
}

/** At each try all earlier statuses of the destination have been accepted, and no later one has been tried. */
function isInOrder(all: readonly Heard[], expected: readonly RequestStatus[]): boolean {
  let at = 0;
  let isTaken = false;
  for (const { status, isAccepted } of all) {
    if (isTaken && status === expected[at + 1]) [at, isTaken] = [at + 1, false];
    if (status !== expected[at]) return false;
    isTaken ||= isAccepted;
  }
  return true;
}
