/** Data on its way into profiles has a consumer group of its own, so that a flood of it does not hold up erasures. */
export const INGESTION_DATA_GROUP = Symbol('ingestion-data');
export const INGESTION_REQUESTS_GROUP = Symbol('ingestion-requests');

/** What the module hands to its controllers, named where an interface has no class to name it by. */
export const SUBJECTS = Symbol('subjects');
export const CLOCK = Symbol('clock');
export const LOG = Symbol('log');
export const VAULT = Symbol('vault');
export const PROFILE_LIMIT_BYTES = Symbol('profile limit');
