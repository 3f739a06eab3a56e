import { TOPICS, withDeadline } from '@opendsr-service/contracts';
import type { EventLog, TopicState } from '@opendsr-service/messaging';
import type { ProcessAnswer } from '@opendsr-service/operator-answers';
import { UPSTREAM_WAIT_MS, type OperatorUpstreams } from '../upstreams/operator-upstreams';

interface SystemFacts {
  readonly services: readonly ProcessAnswer[];
  /** Null: the event log did not answer in time. */
  readonly topics: readonly Omit<TopicState, 'tolerated'>[] | null;
}

/** The services and the topics between them. */
export class OperatorSystem {
  constructor(
    private readonly upstreams: OperatorUpstreams,
    /** Compares the topics with their definitions. */
    private readonly topics: Pick<EventLog['topics'], 'compare'>,
    private readonly replication: Parameters<EventLog['topics']['compare']>[1],
  ) {}

  async read(): Promise<SystemFacts> {
    const [services, topics] = await Promise.all([this.upstreams.processes(), this.topicStates()]);
    return { services, topics };
  }

  private topicStates(): Promise<SystemFacts['topics']> {
    const compared = this.topics.compare(Object.values(TOPICS), this.replication).then(
      (states) =>
        states.map(({ name, exists, differences, tolerated }) => ({
          name,
          exists,
          differences: [...differences, ...tolerated],
        })),
      () => null,
    );
    return withDeadline(compared, UPSTREAM_WAIT_MS, () => null);
  }
}
