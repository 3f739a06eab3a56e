/** Injection tokens for what has no class. */
export const SERVED_VERSIONS = Symbol('served versions');
export const INTAKE_RULES = Symbol('intake rules');
export const RESULTS_SOURCE = Symbol('results source');
