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

/** What brings an older copy of a database forward beside its projections (D3, `dsr restore`). */
export interface RestorePlan<V> {
  /** Takes in the tombstones of keys that the copy has not seen, as the service does before it serves (D4). Absent where the database holds nothing that is sealed. */
  foldTombstones?(tools: TombstoneTools<V>): Promise<void>;
  /** Groups of the service that begin anew, to take in once more what the log keeps. */
  readonly rewoundGroups: readonly string[];
  /** Documents that name, in `kid`, the key under which something of theirs is sealed; `holds` is the field that goes with it, where they outlive their key. */
  readonly sealed: readonly { readonly collection: string; readonly holds?: string }[];
}
