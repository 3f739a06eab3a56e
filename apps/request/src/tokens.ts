export const REQUEST_GROUP = Symbol('request');
export const WAIVER_KEY = Symbol('waiver key');

/** Requests that a batch handles at once: they share queries, bulk writes and sends. */
export const REQUEST_WIDTH = 200;
