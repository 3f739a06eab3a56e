import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestStatus } from '@opendsr-service/contracts';
import type { Answer } from '../controller';
import type { Calls } from './callers';

const TRIES = 25;
const PAUSE_MS = 200;

/**
 * Cancels a request, and asks again where no answer comes or one that puts off, as a controller does who cannot know
 * whether he was heard. Answers how
 * the request must end; undefined where the answers leave it open. One that does not start during the test is cancelled whoever was heard.
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
