export const CALLBACK_DISPATCHER_GROUP = Symbol('callback-dispatcher');
