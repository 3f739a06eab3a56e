import { PublishTimeout } from '../errors';
import type { Publisher } from '../port';

/** A publisher with a switch, for specs of what its callers do while the log is away. Nothing is written then. */
export class SwitchedPublisher implements Publisher {
  /** Away, and known to be. */
  away = false;
  /** Away without anybody having noticed yet. */
  slow = false;

  constructor(private readonly inner: Publisher) {}

  get available(): boolean {
    return !this.away && this.inner.available;
  }

  async publish(...args: Parameters<Publisher['publish']>): Promise<void> {
    if (this.away || this.slow) throw new PublishTimeout('away');
    await this.inner.publish(...args);
  }
}
