/** So many requests controllers mean to make in a world that is not crowded. */
export const LIVES = 30;
/** So many want into one group in a world that is: more than it takes. */
export const CROWD = 162;
/** Every so many seeds a world is crowded. */
export const CROWDED_EVERY = 16;

export const isCrowded = (seed: number): boolean => seed % CROWDED_EVERY === 0;

/** The first crowded world from a seed on. */
export const nextCrowded = (seed: number): number => Math.ceil(seed / CROWDED_EVERY) * CROWDED_EVERY;
