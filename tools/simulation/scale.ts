/** So many requests controllers mean to make in a world that is not crowded. */
export const LIVES = 30;
/** So many want into one group in a world that is: more than it takes. */
export const CROWD = 162;
/** Every so many seeds a world is crowded. */
export const CROWDED_EVERY = 16;

export const isCrowded = (seed: number): boolean => seed % CROWDED_EVERY === 0;

/** The first crowded world from a seed on. */
export const nextCrowded = (seed: number): number => Math.ceil(seed / CROWDED_EVERY) * CROWDED_EVERY;

/** Every so many seeds the stores of a world stall, for longer than a lease; a crowded world is none of those. */
export const STALLING_EVERY = 8;
const FIRST_STALLING = 4;

export const isStalling = (seed: number): boolean => seed % STALLING_EVERY === FIRST_STALLING;

/** In every so many worlds some participants never report. */
const SILENT_EVERY = 2;
const FIRST_SILENT = 1;
const SILENT = 0.25;

/** How often a participant never reports its last word. */
export const silenceIn = (seed: number): number => (seed % SILENT_EVERY === FIRST_SILENT ? SILENT : 0);

/**
 * Every so many seeds persons have data and generations of keys end; a crowded world is none of those, nor one whose
 * stores stall.
 */
export const ROTATING_EVERY = 8;
const FIRST_ROTATING = 2;

export const isRotating = (seed: number): boolean => seed % ROTATING_EVERY === FIRST_ROTATING;

/** The first world from a seed on in which generations end. */
export const nextRotating = (seed: number): number =>
  Math.max(0, Math.ceil((seed - FIRST_ROTATING) / ROTATING_EVERY)) * ROTATING_EVERY + FIRST_ROTATING;

/** The first world from a seed on whose stores stall. */
export const nextStalling = (seed: number): number =>
  Math.max(0, Math.ceil((seed - FIRST_STALLING) / STALLING_EVERY)) * STALLING_EVERY + FIRST_STALLING;
