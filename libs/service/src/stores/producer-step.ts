import type { EventLog, TopicDefinition } from '@opendsr-service/messaging';
import type { Step } from '../process/steps';

/** Less than the time of a start, so that the log says what it waits for. */
const DEADLINE_MS = 30_000;

/**
 * Waits until the log has acknowledged the producer: a process that is ready would otherwise answer its first calls 503
 * while it still connects.
 */
export const producerStep = (events: Pick<EventLog, 'openPublisher'>, topics: readonly TopicDefinition[]): Step => ({
  name: 'Kafka producer',
  run: () =>
    events.openPublisher(
      topics.map(({ name }) => name),
      DEADLINE_MS,
    ),
});
