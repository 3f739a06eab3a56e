/** The consumer group of results on the log, which takes in and completes archives. */
export const RESULTS_GROUP = Symbol('results');

/** What the module hands to its controllers, named where an interface has no class to name it by. */
export const CLOCK = Symbol('clock');
export const VALIDITY_MS = Symbol('validity');
