import type { EncodedMessage } from '@opendsr-service/contracts';
import { unavailable } from '@opendsr-service/edge';
import { isUnacknowledged, type Publisher } from '@opendsr-service/messaging';

const DEADLINE_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;

/** Resolves once the event log has acknowledged the message. Throws a 503 where it does not in time. */
export async function publishAcknowledged(
  publisher: Pick<Publisher, 'publish'>,
  topic: string,
  message: EncodedMessage,
): Promise<void> {
  await publisher.publish(topic, [message], { deadlineMs: DEADLINE_MS }).catch((error: unknown) => {
    throw isUnacknowledged(error) ? unavailable(RETRY_AFTER_SECONDS) : error;
  });
}
