import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { IdentitiesBusy } from './subject';

const TRIES = 25;
const FIRST_MS = 5;
const LONGEST_MS = 250;

/**
 * Tries until there is an answer, with pauses that grow, and differ, so that those who met do not meet again. About five seconds
 * in all; then IdentitiesBusy.
 */
export async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    const most = Math.min(FIRST_MS * 2 ** tried, LONGEST_MS);
    await pause(randomInt(Math.ceil(most / 2), most + 1));
  }
  throw new IdentitiesBusy('identities could not be given an owner');
}
