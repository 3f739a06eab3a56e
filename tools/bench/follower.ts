import type { Connection } from './connections';
import type { Lag } from './statistics';

const LOOK_MS = 50;

/** Watches requests until they are completed, in the order in which they were created, so that one look at a time is enough. */
export class Follower {
  readonly lags: Lag[] = [];
  private readonly open: { readonly id: string; readonly startedAtMs: number }[] = [];
  private ended = false;
  private readonly watching: Promise<void>;

  constructor(private readonly connection: Connection) {
    this.watching = this.watch();
  }

  follow(id: string): void {
    this.open.push({ id, startedAtMs: performance.now() });
  }

  /** Waits until all are completed, but no longer than that, and answers how many are not. */
  async finish(timeoutMs: number): Promise<number> {
    const end = performance.now() + timeoutMs;
    while (this.open.length > 0 && performance.now() < end) await pause();
    this.ended = true;
    await this.watching;
    return this.open.length;
  }

  private async watch(): Promise<void> {
    while (!this.ended) {
      const [first] = this.open;
      if (!first || !(await this.isCompleted(first.id))) {
        await pause();
        continue;
      }
      this.lags.push({ startedAtMs: first.startedAtMs, lagMs: performance.now() - first.startedAtMs });
      this.open.shift();
    }
  }

  private async isCompleted(id: string): Promise<boolean> {
    const { status, body } = await this.connection.call('GET', `/v2/requests/${id}`);
    return status === 200 && (JSON.parse(body.toString()) as { request_status: string }).request_status === 'completed';
  }
}

const pause = () => new Promise((next) => setTimeout(next, LOOK_MS));
