import { NOBODY } from '../../admission/transition-listeners';
import { FailingRequests } from '../../callbacks/failing-requests.store';
import type { LedgerStore } from '../../callbacks/ledger.store';
import type { GatewayParts } from '../../gateway-parts.config';
import { ChangeFeed } from './change-feed';
import { ChangesStore } from './changes.store';

/** Where the operator's API is not served, nobody hears of changes or failing callbacks, and nothing is written. */
export function openChanges(
  { connection, clock, operator }: Pick<GatewayParts, 'connection' | 'clock' | 'operator'>,
  ledger: LedgerStore,
) {
  const feed = new ChangeFeed(new ChangesStore(connection), clock);
  const failing = operator ? new FailingRequests(connection, ledger) : { note: () => Promise.resolve() };
  return { feed, changes: operator ? feed : NOBODY, failing };
}
