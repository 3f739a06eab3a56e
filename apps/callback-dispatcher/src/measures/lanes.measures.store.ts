import { bothEnds, earliest } from '@opendsr-service/storage';
import type { Lane } from '../lanes/lane';
import type { LanesCollection } from '../lanes/lanes-collection.store';

/** So many lanes are read at each end of those with something to send. */
const LOOKED_AT = 200;

/** What is asked of the lanes so often that each answer must come from an index, and from little of it. */
export class LaneMeasures {
  constructor(private readonly lanes: Pick<LanesCollection, 'model' | 'documents'>) {}

  /** When the lane was due that has been the longest. */
  due(now: Date): Promise<Date | undefined> {
    return earliest(this.lanes.model, 'dueAt', now);
  }

  /** Since when a lane has had something to tell the log, the longest. */
  untold(now: Date): Promise<Date | undefined> {
    return earliest(this.lanes.model, 'tellAt', now);
  }

  /** How many lanes have something to send, counted up to `atMost` without being read. */
  undelivered(atMost: number): Promise<number> {
    return this.lanes.documents.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  /**
   * When the status changed of which a receiver has not been told the longest; what is sent once more does not count. Nothing is ordered by
   * that: what nobody gets to is due first, and what failed the most often is due last, so it is looked for at both ends.
   */
  async oldestUndelivered(): Promise<Date | undefined> {
    const waiting = await bothEnds<Lane>(this.lanes.model, { field: 'dueAt', each: LOOKED_AT, projection: { 'pending.at': 1, 'pending.replay': 1 } });
    const times = waiting.flatMap(({ pending }) => pending.filter(({ replay }) => replay === undefined).map(({ at }) => Date.parse(at)));
    return times.length > 0 ? new Date(Math.min(...times)) : undefined;
  }
}
