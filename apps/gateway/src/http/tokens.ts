/** The gateway's consumer group on the log, which keeps the view of requests. */
export const GATEWAY_GROUP = Symbol('gateway');

/** What the module hands to its controllers, named where an interface has no class to name it by. */
export const SERVED_VERSIONS = Symbol('processors');
export const INTAKE_RULES = Symbol('intake rules');
export const RESULTS_SOURCE = Symbol('results source');
