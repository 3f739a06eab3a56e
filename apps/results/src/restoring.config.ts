import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { Withdrawal } from './archives/withdrawal';
import { storesOn } from './database.config';

/** Missing archives are rebuilt from the orders in the log. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events, vault, clock }) => {
    const withdrawal = new Withdrawal(storesOn(connection), vault, clock);
    return foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
      withdrawal.replay(tombstones),
    );
  },
  rewoundGroups: ['results'],
  sealed: [{ collection: 'archives', holds: 'kid' }],
};
