/** The dispatcher's consumer group on the log, which keeps the destinations. */
export const CALLBACK_DISPATCHER_GROUP = Symbol('callback-dispatcher');
