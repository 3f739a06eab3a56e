import { randomInt } from 'node:crypto';

const TRIES = 25;
const FIRST_MS = 5;
const LONGEST_MS = 250;

/** Growing random delays, so that callers that collided do not collide again. About five seconds in all. */
export function* backoffDelaysMs(): Generator<number, void> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const most = Math.min(FIRST_MS * 2 ** tried, LONGEST_MS);
    yield randomInt(Math.ceil(most / 2), most + 1);
  }
}
