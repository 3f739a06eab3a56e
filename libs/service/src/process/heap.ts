import { setFlagsFromString } from 'node:v8';

/** In percent of what lived through the last collection. */
const GROWTH = 100;

/**
 * Lets the heap grow to twice what is alive before all of it is collected. V8 allows up to four times to a process that
 * allocates quickly, and little more than what is alive to one that does not: a gateway with 100 creates a second collected
 * every 3 s, and calls of these moments waited for up to 70 ms (decision 22). The limits of Node and of a container hold as before.
 */
export const letHeapGrow = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
};
