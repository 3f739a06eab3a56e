import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { Sessions, SignIns } from '@opendsr-service/operator-access';
import { AttestationsStore } from './evidence/attestations.store';
import { LedgerStore } from './callbacks/ledger.store';
import { EndedPersonsStore } from './keys/ended-persons.store';
import { ChangesStore } from './operator/changes/changes.store';
import { RevealsStore } from './operator/reveals/reveals.store';
import { AuditStore } from './audit/audit.store';
import { LeavesStore } from './evidence/leaves.store';
import { TilesStore } from './evidence/tiles.store';
import { requestsCollection } from './admission/requests-collection.store';

/** For tools: the collections whose indexes the service needs. */
export const database: ServiceDatabase = {
  name: 'gateway',
  models: (connection) =>
    void [
      requestsCollection(connection),
      new LeavesStore(connection),
      new TilesStore(connection),
      new AttestationsStore(connection),
      new LedgerStore(connection),
      new EndedPersonsStore(connection),
      new AuditStore(connection),
      new ParkedStore(connection),
      new Sessions(connection, { idleMs: 0, longestMs: 0 }, () => 0),
      new SignIns(connection, () => 0),
      new RevealsStore(connection, () => 0),
      new ChangesStore(connection),
    ],
};
