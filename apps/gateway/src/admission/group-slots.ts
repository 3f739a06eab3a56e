/** At most so many requests in a group (interface.md, "Limits"). */
export const GROUP_SIZE = 150;

const CHOICE = 64;

/**
 * A free place of a group, random among the lowest free ones so that creates at the same time seldom meet; undefined: full.
 * `chance` is a number from 0 up to 1.
 */
export function freeSlot(taken: ReadonlySet<number>, chance: number): number | undefined {
  const free: number[] = [];
  for (let slot = 0; slot < GROUP_SIZE && free.length < CHOICE; slot += 1) if (!taken.has(slot)) free.push(slot);
  return free[Math.floor(chance * free.length)];
}
