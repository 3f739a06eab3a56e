import { TOPICS, withDeadline } from '@opendsr-service/contracts';
import type { EventLog, TopicState } from '@opendsr-service/messaging';
import type { ProcessAnswer } from '@opendsr-service/operator-answers';
import { UPSTREAM_WAIT_MS, type OperatorUpstreams } from '../upstreams/operator-upstreams';

export interface SystemFacts {
  readonly services: readonly ProcessAnswer[];
  /** Null: the event log did not answer in time. */
  readonly topics: readonly TopicState[] | null;
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

  private topicStates(): Promise<readonly TopicState[] | null> {
    const compared = this.topics.compare(Object.values(TOPICS), this.replication).catch(() => null);
    return withDeadline(compared, UPSTREAM_WAIT_MS, () => null);
  }
}
