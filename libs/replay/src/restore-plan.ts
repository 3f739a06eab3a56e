import type { EventLog } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import type { Clock } from '@opendsr-service/service';

interface RestoreTools<V> {
  readonly connection: Connection;
  readonly events: Pick<EventLog, 'read'>;
  readonly vault: V;
  readonly clock: Clock;
}

/** What `dsr restore` does beside the projections (decision 3). */
export interface RestorePlan<V> {
  /** Applies the tombstones that the copy lacks (decision 4). Absent: the database holds nothing sealed. */
  foldTombstones?(tools: RestoreTools<V>): Promise<unknown>;
  /** Writes what follows from the log and is no projection. */
  bringBack?(tools: RestoreTools<V>): Promise<void>;
  /** Consumer groups that restart from the begin of the log. */
  readonly rewoundGroups: readonly string[];
  /** Documents with a `kid`; `holds` names the sealed field if they outlive the key, `unless` the field of those without data. */
  readonly sealed: readonly { readonly collection: string; readonly holds?: string; readonly unless?: string }[];
}
