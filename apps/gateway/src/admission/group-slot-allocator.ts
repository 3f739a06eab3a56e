import { randomInt } from 'node:crypto';

const CHANCES = 1_000_000;
/** The largest group (protocol, "Limits"). */
export const GROUP_SIZE = 150;

const CHOICE = 64;

/** A random one of the lowest free slots, so that concurrent creates seldom collide. Undefined: the group is full. */
export function freeSlot(taken: ReadonlySet<number>, chance: number): number | undefined {
  const free: number[] = [];
  for (let slot = 0; slot < GROUP_SIZE && free.length < CHOICE; slot += 1) if (!taken.has(slot)) free.push(slot);
  return free[Math.floor(chance * free.length)];
}

/** A taken slot stays taken: requests are never deleted. */
interface Group {
  readonly taken: Set<number>;
  readonly inUse: Set<number>;
  readonly read: Promise<void>;
  users: number;
  attemptEnded: PromiseWithResolvers<void>;
}

export type SlotAttempt<T> = 'slot-taken' | { readonly answer: T; readonly took: boolean };

/**
 * Gives concurrent creates of this process different slots of a group. The store decides: other processes may try the
 * same slot.
 */
export class GroupSlotAllocator {
  private readonly groups = new Map<string, Group>();

  /** `read` may miss the newest slots. */
  constructor(private readonly read: (ws: string, groupId: string) => Promise<number[]>) {}

  /** Undefined: the group is full. */
  async withSlot<T>(
    ws: string,
    groupId: string,
    attempt: (slot: number) => Promise<SlotAttempt<T>>,
  ): Promise<T | undefined> {
    const name = JSON.stringify([ws, groupId]);
    const group = this.join(name, ws, groupId);
    try {
      await group.read;
      while (group.taken.size < GROUP_SIZE) {
        const tried = await tryNextSlot(group, attempt);
        if (tried !== 'slot-taken') return tried.answer;
      }
      return undefined;
    } finally {
      group.users -= 1;
      if (group.users === 0) this.groups.delete(name);
    }
  }

  private join(name: string, ws: string, groupId: string): Group {
    const group = this.groups.get(name) ?? this.open(ws, groupId);
    this.groups.set(name, group);
    group.users += 1;
    return group;
  }

  private open(ws: string, groupId: string): Group {
    const taken = new Set<number>();
    const read = this.read(ws, groupId).then((slots) => {
      slots.forEach((slot) => taken.add(slot));
    });
    return { taken, inUse: new Set(), read, users: 0, attemptEnded: Promise.withResolvers() };
  }
}

/** Waits for another attempt to end where all free slots are in use. */
async function tryNextSlot<T>(
  group: Group,
  attempt: (slot: number) => Promise<SlotAttempt<T>>,
): Promise<SlotAttempt<T>> {
  if (group.taken.size + group.inUse.size >= GROUP_SIZE) {
    await group.attemptEnded.promise;
    return 'slot-taken';
  }
  // A slot is never both taken and in use.
  const slot = freeSlot(new Set([...group.taken, ...group.inUse]), randomInt(CHANCES) / CHANCES) as number;
  group.inUse.add(slot);
  try {
    const tried = await attempt(slot);
    if (tried === 'slot-taken' || tried.took) group.taken.add(slot);
    return tried;
  } finally {
    group.inUse.delete(slot);
    group.attemptEnded.resolve();
    group.attemptEnded = Promise.withResolvers();
  }
}
