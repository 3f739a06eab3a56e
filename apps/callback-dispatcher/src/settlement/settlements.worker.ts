import { deliveryEvents, messageId, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import type { SettledLane } from '../lanes/lane';
import type { LanesStore } from '../lanes/lanes.store';

const PAGE = 200;

/**
 * Tells the log which lanes are settled, so that the keys of ended requests may go (D4). Nobody claims anything: two that tell
 * the same, or one that tells it again after a crash, tell it under one id.
 */
export class SettlementsWorker {
  constructor(
    private readonly store: Pick<LanesStore, 'findSettled' | 'told'>,
    private readonly publisher: Publisher,
    private readonly clock: Clock,
  ) {}

  /** One page, the earliest first; answers how many were told. What the log does not acknowledge waits. */
  async runOnce(): Promise<number> {
    if (!this.publisher.available) return 0;
    const lanes = await this.store.findSettled(this.clock.now(), PAGE);
    if (lanes.length === 0) return 0;
    await this.publisher.publish(TOPICS.deliveryEvents.name, lanes.map(laneSettled));
    await Promise.all(lanes.map((lane) => this.store.told(lane)));
    return lanes.length;
  }
}

const laneSettled = ({ _id, ws, srid, lane, outcome, tellAt }: SettledLane) =>
  deliveryEvents.encode({ type: 'LaneSettled', id: messageId(_id, 'settled'), ws, srid, at: tellAt.toISOString(), lane, outcome });
