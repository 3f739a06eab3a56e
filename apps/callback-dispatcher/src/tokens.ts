/** The dispatcher's consumer group on the log, which keeps the lanes. */
export const CALLBACK_DISPATCHER_GROUP = Symbol('callback-dispatcher');
