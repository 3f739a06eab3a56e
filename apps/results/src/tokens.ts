export const RESULTS_GROUP = Symbol('results');

export const CLOCK = Symbol('clock');
export const VALIDITY_MS = Symbol('validity');
