import type { Clock } from '@opendsr-service/runtime';
import { LEASE_MS, type ClaimedArchive } from './archive';
import type { ArchivesStore } from './archives.store';

/** Another builder has the archive, or nobody is to have it: what this one wrote is of no use. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** A builder's claim, extended as long as it works, also while it waits for a slow export or a slow store. */
export class Lease {
  private extendAtMs: number;
  private lost = false;

  constructor(
    private readonly archives: Pick<ArchivesStore, 'extend'>,
    private readonly archive: ClaimedArchive,
    private readonly clock: Clock,
  ) {
    this.extendAtMs = clock.now().getTime() + LEASE_MS / 2;
  }

  /** Extends the claim once half of it is over. Throws ClaimLost. */
  async keep(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (!this.lost && nowMs >= this.extendAtMs) {
      this.lost = !(await this.archives.extend(this.archive, new Date(nowMs + LEASE_MS)));
      this.extendAtMs = nowMs + LEASE_MS / 2;
    }
    if (this.lost) throw new ClaimLost();
  }

  /** Keeps the claim while the work lasts, looking every `everyMs`. That it was lost the work learns from its own `keep`. */
  async during<T>(work: Promise<T>, everyMs: number): Promise<T> {
    const timer = setInterval(() => void this.keep().catch(() => undefined), everyMs);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }
}
