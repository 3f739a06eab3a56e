import { isUnacknowledged, type Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { keyFreeSince } from '../admission/key-due';
import type { DueKey, RequestKeysStore } from './request-keys.store';

/** Destroys due keys: the tombstone, the key, then what it sealed (decision 4). Every step may be repeated. */
export class RequestKeysWorker {
  constructor(
    private readonly store: RequestKeysStore,
    private readonly vault: Pick<Vault, 'destroy'>,
    private readonly publisher: Pick<Publisher, 'available'>,
    private readonly clock: Clock,
  ) {}

  /** One page; resolves with the number of destroyed keys. Claims nothing while the log is unavailable. */
  async runOnce(): Promise<number> {
    if (!this.publisher.available) return 0;
    const now = this.clock.now();
    const claimed = await this.store.claimDue(now);
    const gone = await Promise.all(
      claimed.map(async (claim) => (await this.destroy(claim.document)) && this.store.recordKeyGone(claim, now)),
    );
    return gone.filter(Boolean).length;
  }

  /** False: the key is needed, or the log took no tombstone. The step repeats when the claim expires. */
  private async destroy(request: DueKey): Promise<boolean> {
    if (!keyFreeSince(request)) return false;
    try {
      await this.vault.destroy(request.ws, request.kid, 'request');
      return true;
    } catch (error) {
      if (isUnacknowledged(error)) return false;
      throw error;
    }
  }
}
