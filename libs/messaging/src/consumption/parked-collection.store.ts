import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { ParkedRecord } from './parked-record';

export const parkedCollection = (connection: Connection): Collection<ParkedRecord> =>
  declareCollection(connection, 'parked', [
    { fields: { group: 1, topic: 1, aside: 1, key: 1, sortKey: 1 } },
    { fields: { group: 1, aside: 1, at: 1 } },
    { fields: { kind: 1, _id: 1 } },
    { fields: { key: 1, _id: 1 } },
    { fields: { group: 1, redriveAt: 1 }, where: 'redriveAt' },
  ]);

/** Matches an absent field: no index of the embedded store supports `$exists: false`. */
export const NONE = null as never;
