import type { DataKey } from './data-key';

export interface PoolLimits {
  /** A refill starts in the background when this many keys are left. */
  readonly refillAt: number;
  readonly maxAgeMs: number;
}

/** Hands out keys that are durable already, so that a create in the steady state waits for no write but its own. */
export class KeyPool {
  private readonly ready: { key: DataKey; madeAt: number }[] = [];
  private refilling?: Promise<void>;

  constructor(
    private readonly limits: PoolLimits,
    private readonly clock: () => number,
    private readonly make: () => Promise<DataKey[]>,
  ) {}

  async takeKey(): Promise<DataKey> {
    for (;;) {
      const key = this.next();
      if (key) return key;
      await this.refill();
    }
  }

  private next(): DataKey | undefined {
    // Unused keys stay in the database for now. None older than this is handed out, so that a sweep of old unused ones
    // can be added safely.
    const bornAfter = this.clock() - this.limits.maxAgeMs;
    while (this.ready[0] && this.ready[0].madeAt <= bornAfter) this.ready.shift();
    const taken = this.ready.shift();
    // A background refill that fails is retried by the next caller; only a caller that finds the pool empty sees the
    // error.
    if (taken && this.ready.length <= this.limits.refillAt) this.refill().catch(() => undefined);
    return taken?.key;
  }

  private refill(): Promise<void> {
    this.refilling ??= this.fill().finally(() => {
      this.refilling = undefined;
    });
    return this.refilling;
  }

  private async fill(): Promise<void> {
    const madeAt = this.clock();
    for (const key of await this.make()) this.ready.push({ key, madeAt });
  }
}
