import { earliest } from '@opendsr-service/storage';
import type { LanesCollection } from '../lanes/lanes-collection.store';

/** What is asked of the lanes so often that each answer must come from an index, and from little of it. */
export class LaneMeasures {
  constructor(private readonly lanes: Pick<LanesCollection, 'model' | 'documents'>) {}

  /** When the lane was due that has been the longest. */
  due(now: Date): Promise<Date | undefined> {
    return earliest(this.lanes.model, 'dueAt', now);
  }

  /** Since when the first of what lanes have to tell has been waiting for the log. */
  untold(now: Date): Promise<Date | undefined> {
    return earliest(this.lanes.model, 'untoldSince', now, 'tellAt');
  }

  /** How many lanes have something to send, counted up to `atMost` without being read. */
  undelivered(atMost: number): Promise<number> {
    return this.lanes.documents.countDocuments({ dueAt: { $gte: new Date(0) } }, { limit: atMost });
  }

  /** When the status changed of which a receiver has not been told the longest; what is sent once more does not count. */
  oldestUndelivered(now: Date): Promise<Date | undefined> {
    return earliest(this.lanes.model, 'undeliveredSince', now);
  }
}
