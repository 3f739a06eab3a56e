import type { Log } from '@opendsr-service/messaging';
import type { Step } from '@opendsr-service/runtime';
import { foldTombstones } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import type { RequestKeysStore } from './request-keys.store';

/** How a gateway's database, which may be an older copy, learns before it serves which keys of requests are gone (D4). */
export const tombstonesStep = (events: Pick<Log, 'read'>, connection: Connection, keys: RequestKeysStore): Step => ({
  name: 'gateway tombstones',
  run: () => foldTombstones(events, connection, (tombstones) => keys.applyTombstones(tombstones)),
});
