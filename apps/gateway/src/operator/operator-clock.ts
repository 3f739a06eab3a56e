/** Injection token: the clock of the operator's API. */
export const OPERATOR_CLOCK = Symbol('clock of the operator API');
