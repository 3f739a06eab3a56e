import type { DataKey } from './data-key';

interface PoolLimits {
  readonly refillAt: number;
  readonly maxAgeMs: number;
}

/** Hands out keys that are already stored, so that a create does not wait for the write of its key. */
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
    // The pool discards old keys, so that a sweep of old unused keys could safely be added.
    const bornAfter = this.clock() - this.limits.maxAgeMs;
    while (this.ready[0] && this.ready[0].madeAt <= bornAfter) this.ready.shift();
    const taken = this.ready.shift();
    // A failed background refill is retried by the next call. Only a call that finds the pool empty sees the error.
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
