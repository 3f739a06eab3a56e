import { randomInt } from 'node:crypto';
import { freeSlot, GROUP_SIZE } from './group-slots';

const CHANCES = 1_000_000;

/** What is known of a group while creates of it run. A place that is taken stays so: requests are never deleted. */
interface Group {
  readonly taken: Set<number>;
  /** Places that creates of this process are trying for now. */
  readonly inUse: Set<number>;
  readonly read: Promise<void>;
  users: number;
  /** Rings when a try has ended. */
  attemptEnded: PromiseWithResolvers<void>;
}

/** What became of a try for a place: somebody else had it, or the create was answered, with this place or without. */
export type SlotAttempt<T> = 'slot-taken' | { readonly answer: T; readonly took: boolean };

/**
 * Hands out the places of groups to the creates of this process, so that a thousand at once try for different ones and learn from each other.
 * Which create gets a place is the store's to decide: other processes hand out the same ones.
 */
export class GroupSlotAllocator {
  private readonly groups = new Map<string, Group>();

  /** `read` answers the places that are taken; it may miss the newest. */
  constructor(private readonly read: (ws: string, groupId: string) => Promise<number[]>) {}

  /** Tries with one free place after the other until the create is answered. Undefined: the group is full. */
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

/** Where all places that are left are tried for by others, it waits for one of them. */
async function tryNextSlot<T>(
  group: Group,
  attempt: (slot: number) => Promise<SlotAttempt<T>>,
): Promise<SlotAttempt<T>> {
  if (group.taken.size + group.inUse.size >= GROUP_SIZE) {
    await group.attemptEnded.promise;
    return 'slot-taken';
  }
  // There is one: no place is both taken and tried for.
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
