import type { EventLog } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import type { Clock } from '@opendsr-service/service';

/** What `forget` of a service works with; `V` is the vault. */
export interface TombstoneTools<V> {
  /** The database of the service. */
  readonly connection: Connection;
  readonly events: Pick<EventLog, 'read'>;
  readonly vault: V;
  readonly clock: Clock;
}

/** What brings an older copy of a database forward beside its projections (decision 3, `dsr restore`). */
export interface RestorePlan<V> {
  /** Applies the tombstones that the copy has not seen (decision 4). Absent where the database holds nothing sealed. */
  foldTombstones?(tools: TombstoneTools<V>): Promise<void>;
  /** Consumer groups that restart, to read again what the log keeps. */
  readonly rewoundGroups: readonly string[];
  /** Documents with the `kid` of a sealed field; `holds` names that field where they outlive the key. */
  readonly sealed: readonly { readonly collection: string; readonly holds?: string }[];
}
