/** So many requests controllers mean to make in a world that is not crowded. */
export const LIVES = 30;
/** So many want into one group in a world that is: more than it takes. */
export const CROWD = 162;

/** Worlds of a kind: every so many seeds one, from the first on. */
interface Kind {
  readonly first: number;
  readonly every: number;
}

/** No world is of two of them. */
export const WORLD_KINDS = {
  crowd: { first: 0, every: 16 },
  /** Its stores stall, for longer than a lease. */
  stalls: { first: 4, every: 8 },
  /** Persons have data, and generations of keys end. */
  rotation: { first: 2, every: 8 },
} as const satisfies Readonly<Record<string, Kind>>;

export const isOf = ({ first, every }: Kind, seed: number): boolean => seed % every === first;

/** The first world of a kind from a seed on. */
export const nextOf = ({ first, every }: Kind, seed: number): number =>
  Math.max(0, Math.ceil((seed - first) / every)) * every + first;

/** In these worlds some participants never report. */
const SILENT_WORLDS: Kind = { first: 1, every: 2 };
const SILENT = 0.25;

/** How often a participant never reports its last word. */
export const silenceIn = (seed: number): number => (isOf(SILENT_WORLDS, seed) ? SILENT : 0);
