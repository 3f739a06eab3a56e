import { NOBODY } from '../../admission/transition-listeners';
import type { GatewayParts } from '../../gateway-parts.config';
import { ChangeFeed } from './change-feed';
import { ChangesStore } from './changes.store';

/** Where the operator's API is not served, nobody hears of changes and nothing is written. */
export function openChanges({ connection, clock, operator }: Pick<GatewayParts, 'connection' | 'clock' | 'operator'>) {
  const feed = new ChangeFeed(new ChangesStore(connection), clock);
  return { feed, changes: operator ? feed : NOBODY };
}
