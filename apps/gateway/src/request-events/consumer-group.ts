/** The gateway's consumer group on the log. */
export const GATEWAY_GROUP = Symbol('gateway');
