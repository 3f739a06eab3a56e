import { TOPICS } from '@opendsr-service/contracts';
import type { EventLog, Replication } from '@opendsr-service/messaging';
import type { Logger } from '../logger/logger';
import { NotYetAvailable } from '../process/missing-dependency';
import { StartupError } from '../process/startup-error';
import type { Step } from '../process/steps';
import type { KafkaValues } from '@opendsr-service/config';

export const replicationOf = ({
  TOPIC_REPLICATION,
  TOPIC_MIN_ISR,
}: Pick<KafkaValues, 'TOPIC_REPLICATION' | 'TOPIC_MIN_ISR'>): Replication => ({
  replication: TOPIC_REPLICATION,
  minIsr: TOPIC_MIN_ISR,
});

/**
 * Refuses topics that differ from the design, except by a longer retention, and waits for missing ones. The embedded
 * log creates its own, and changes their retention.
 */
export const topicsStep = (
  events: Pick<EventLog, 'kind' | 'topics'>,
  replication: Replication,
  log: Pick<Logger, 'warn'>,
): Step => ({
  name: 'Kafka',
  run: async () => {
    const definitions = Object.values(TOPICS);
    if (events.kind === 'embedded') {
      await events.topics.apply(definitions, replication);
      await events.topics.retain?.(definitions);
    }
    const states = await events.topics.compare(definitions, replication);
    const problems = states.flatMap(({ differences }) => differences);
    const missing = states.filter(({ exists }) => !exists).map(({ name }) => name);
    // Waiting does not fix a wrong topic.
    if (problems.length > 0) throw new StartupError(`the topics are not as they must be: ${problems.join('; ')}`);
    if (missing.length > 0)
      throw new NotYetAvailable('topics', `they are missing, \`dsr topics apply\` makes them: ${missing.join(', ')}`);
    for (const { name } of states.filter(({ tolerated }) => tolerated.length > 0))
      log.warn({ topic: name }, 'A topic keeps sealed personal data longer than it should');
  },
});
