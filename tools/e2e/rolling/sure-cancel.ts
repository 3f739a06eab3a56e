import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestStatus } from '@opendsr-service/contracts';
import type { Answer } from '../controller';
import type { Calls } from './callers';

const TRIES = 25;
const PAUSE_MS = 200;

/**
 * Cancels a request and repeats the call after a broken one or a refusal, as a controller that does not know the result.
 * Returns the expected end; undefined if the answers leave it open. A request that does not start during the test ends
 * as cancelled.
 */
export async function cancelSurely(
  calls: Calls,
  startsSoon: boolean,
  cancel: () => Promise<Answer>,
): Promise<RequestStatus | undefined> {
  // A 400 says that it is not pending any more: it has started, or a call before was heard although no answer came.
  const again = [202, 400];
  let asked = 0;
  const ask = () => {
    asked++;
    return cancel();
  };
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await sleep(PAUSE_MS);
    const answer = await calls.noted('cancel', startsSoon || asked > 0 ? again : [202], ask, again);
    // Any other answer is a fault, and says nothing of the request.
    if (!answer || !again.includes(answer.status)) continue;
    if (answer.status === 202 || !startsSoon) return 'cancelled';
    return asked === 1 ? 'completed' : undefined;
  }
  return undefined;
}
