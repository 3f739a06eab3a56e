import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestStatus } from '@opendsr-service/contracts';
import type { Answer } from '../controller';
import type { Calls } from './callers';

const TRIES = 25;
const PAUSE_MS = 200;

/**
 * Cancels a request and retries without an answer or after a delay, as a controller that does not know the result.
 * Returns the expected end; undefined if the answers leave it open. A request that does not start during the test ends
 * as cancelled.
 */
export async function cancelSurely(
  calls: Calls,
  startsSoon: boolean,
  cancel: () => Promise<Answer>,
): Promise<RequestStatus | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const isFirst = tries === 0;
    if (!isFirst) await sleep(PAUSE_MS);
    // A 400 says that it is not pending any more: it has started, or a call before was heard although no answer came.
    const answer = await calls.noted('cancel', startsSoon || !isFirst ? [202, 400] : [202], cancel());
    if (!answer || answer.status === 503) continue;
    if (answer.status === 202 || !startsSoon) return 'cancelled';
    return isFirst ? 'completed' : undefined;
  }
  return undefined;
}
