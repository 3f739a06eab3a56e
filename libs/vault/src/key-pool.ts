import type { DataKey } from './data-key';

interface PoolLimits {
  /** The keys of the first batch, and of the first one after keys became too old. */
  readonly fewest: number;
  readonly most: number;
  readonly maxAgeMs: number;
}

/** Where keys are stored. */
export interface KeyStock {
  make(count: number): Promise<readonly DataKey[]>;
  /** They have sealed nothing that is kept. */
  remove(kids: readonly string[]): Promise<unknown>;
}

interface Pooled {
  readonly key: DataKey;
  readonly madeAt: number;
}

/**
 * Hands out keys that are already stored, so that a create does not wait for the write of its key. Batches double while
 * keys are used before they are too old, so that a pool with little use leaves few keys behind at the end of its process.
 */
export class KeyPool {
  private ready: Pooled[] = [];
  private readonly givenOut = new WeakMap<DataKey, number>();
  private count: number;
  private refilling?: Promise<void>;

  constructor(
    private readonly limits: PoolLimits,
    private readonly clock: () => number,
    private readonly stock: KeyStock,
  ) {
    this.count = limits.fewest;
  }

  async takeKey(): Promise<DataKey> {
    for (;;) {
      const key = this.next();
      if (key) return key;
      await this.refill();
    }
  }

  /** Takes a key back that has sealed nothing that is kept. */
  giveBack(key: DataKey): void {
    const madeAt = this.givenOut.get(key);
    if (madeAt === undefined || !this.givenOut.delete(key)) return;
    this.ready.unshift({ key, madeAt });
  }

  /** Removes the keys that wait, and those that are being made. What cannot be removed stays stored, and seals nothing. */
  async empty(): Promise<void> {
    await this.refilling?.catch(() => undefined);
    await this.remove(this.ready.splice(0));
  }

  private next(): DataKey | undefined {
    this.removeOld();
    const taken = this.ready.shift();
    if (!taken) return undefined;
    // A failed background refill is retried by the next call. Only a call that finds the pool empty sees the error.
    if (this.ready.length <= this.count / 4) this.refill().catch(() => undefined);
    this.givenOut.set(taken.key, taken.madeAt);
    return taken.key;
  }

  private removeOld(): void {
    const bornAfter = this.clock() - this.limits.maxAgeMs;
    if (!this.ready.some(({ madeAt }) => madeAt <= bornAfter)) return;
    const old = this.ready.filter(({ madeAt }) => madeAt <= bornAfter);
    this.ready = this.ready.filter(({ madeAt }) => madeAt > bornAfter);
    this.count = this.limits.fewest;
    void this.remove(old);
  }

  private async remove(keys: readonly Pooled[]): Promise<void> {
    if (keys.length > 0) await this.stock.remove(keys.map(({ key }) => key.kid)).catch(() => undefined);
  }

  private refill(): Promise<void> {
    this.refilling ??= this.fill().finally(() => {
      this.refilling = undefined;
    });
    return this.refilling;
  }

  private async fill(): Promise<void> {
    const madeAt = this.clock();
    for (const key of await this.stock.make(this.count)) this.ready.push({ key, madeAt });
    this.count = Math.min(this.limits.most, 2 * this.count);
  }
}
