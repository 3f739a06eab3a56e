import { TOPICS } from '@opendsr-service/contracts';
import type { Log as EventLog, Replication } from '@opendsr-service/messaging';
import { StartupError } from './process/startup-error';
import type { Step } from './process/steps';
import type { storeSettings } from './settings/store-settings';
import type { Values } from './settings/setting';

export const replicationOf = ({ TOPIC_REPLICATION, TOPIC_MIN_ISR }: Values<typeof storeSettings>): Replication => ({ replication: TOPIC_REPLICATION, minIsr: TOPIC_MIN_ISR });

/** Refuses to start on topics that are not as the design has them (`dsr topics apply` makes them). The embedded log has its own made. */
export const topicsStep = (events: EventLog, replication: Replication): Step => ({
  name: 'topics',
  run: async () => {
    const definitions = Object.values(TOPICS);
    if (events.kind === 'embedded') await events.topics.apply(definitions, replication);
    const problems = await events.topics.check(definitions, replication);
    if (problems.length > 0) throw new StartupError(`the topics are not as they must be, \`dsr topics apply\` makes what is missing: ${problems.join('; ')}`);
  },
});
