export const REQUEST_GROUP = Symbol('request');
