import type { Chance } from '../engine/chance';
import type { VirtualTime } from '../engine/virtual-time';

/** Longer than every lease. */
const LONGEST_STALL_MS = 90_000;

interface StallsParts {
  readonly time: VirtualTime;
  readonly chance: Chance;
  /** How often an operation stalls. */
  readonly probability: () => number;
  readonly diary: (line: string) => void;
}

/** Operations of stores that take longer than their time limits and than leases, as where a process or its server stands still. */
export class Stalls {
  constructor(private readonly parts: StallsParts) {}

  /** Whether the next operation can be done, asked again and again. */
  next(what: string): () => boolean {
    const { time, chance, probability, diary } = this.parts;
    if (probability() === 0 || !chance.happens(probability())) return () => true;
    const ms = chance.below(LONGEST_STALL_MS);
    diary(`${what} stalls for ${ms} ms`);
    let isOver = false;
    void time.waitOutside(ms).then(() => (isOver = true));
    return () => isOver;
  }
}
