/** The request service's consumer group on the log. */
export const REQUEST_GROUP = Symbol('request');
