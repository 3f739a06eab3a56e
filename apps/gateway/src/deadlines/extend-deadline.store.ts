import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { AdmissionsStore } from '../admission/admissions.store';
import { DeadlinesStore } from './deadlines.store';
import { extendDeadline, type ExtendedDeadline, type ExtensionRefusal, type ExtensionWish } from './extend-deadline';

/** Extends a legal date for an operator. `note` records who does it, before the decision. */
export const extendDeadlineOf = (
  connection: Connection,
  vault: Pick<Vault, 'key'>,
  wish: ExtensionWish,
  note: () => Promise<void>,
): Promise<ExtendedDeadline | ExtensionRefusal> =>
  extendDeadline(
    { admissions: new AdmissionsStore(connection, 0), deadlines: new DeadlinesStore(connection), vault, note },
    wish,
  );
