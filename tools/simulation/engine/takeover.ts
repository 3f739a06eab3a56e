import fs from 'node:fs';
import { Chance } from './chance';
import { VirtualTime } from './virtual-time';

const START_MS = Date.parse('2026-11-21T12:00:00Z');

/** Replaces time and chance of Node. A world begins with a reset of both. */
export const inPlaceOf = { time: new VirtualTime(START_MS), chance: new Chance(0) };

const realImmediate = globalThis.setImmediate;
const realClear = globalThis.clearImmediate;
const immediates = new Set<NodeJS.Immediate>();

/**
 * Puts virtual time and seeded chance in the place of the global functions, for the rest of this process, and takes the disk's time out:
 * nothing here survives the process, so nothing has to be flushed. Two runs with one seed then take the same steps.
 */
export function takeOver(): void {
  const timers = {
    setTimeout: (run: (...args: unknown[]) => void, waitMs = 0, ...args: unknown[]) =>
      inPlaceOf.time.set(() => run(...args), waitMs),
    setInterval: (run: (...args: unknown[]) => void, everyMs = 0, ...args: unknown[]) =>
      inPlaceOf.time.set(() => run(...args), everyMs, everyMs),
    clearTimeout: (handle: unknown) => inPlaceOf.time.clear(handle),
    clearInterval: (handle: unknown) => inPlaceOf.time.clear(handle),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      const immediate = realImmediate(() => {
        immediates.delete(immediate);
        run(...args);
      });
      immediates.add(immediate);
      return immediate;
    },
    clearImmediate: (immediate: NodeJS.Immediate) => {
      immediates.delete(immediate);
      realClear(immediate);
    },
  };
  Object.assign(globalThis, timers);
  Object.assign(Math, { random: () => inPlaceOf.chance.fraction() });
  Object.assign(performance, { now: () => inPlaceOf.time.ms - START_MS });
  Object.assign(fs, { fdatasync: (_fd: number, done: (error: null) => void) => process.nextTick(done, null) });
}

/** Resets time and chance for the beginning of a world. */
export function resetTimeAndChance(seed: number): void {
  inPlaceOf.time = new VirtualTime(START_MS);
  inPlaceOf.chance = new Chance(seed);
}

/** Resolves when all code has run that waits for nothing but its turn. */
export async function allAtRest(): Promise<void> {
  do {
    await new Promise<void>((resolve) => realImmediate(() => resolve()));
  } while (immediates.size > 0);
}
