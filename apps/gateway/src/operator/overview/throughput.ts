import type { ListedRequestsStore } from '../requests/listed-requests.store';

const HOUR_MS = 3_600_000;
/** Until here an index is counted at once; beyond, hour by hour. */
const MOST_AT_ONCE = 10_000;
/** Events are applied after they happened, so what is counted of younger hours is not kept. */
const SETTLED_MS = 2 * HOUR_MS;
const LONGEST_MS = 7 * 24 * HOUR_MS;

type Dated = 'receivedAt' | 'completedAt' | 'cancelledAt';

/** How many requests were received or ended. Hours that have passed do not change, and are counted once by each process. */
export class Throughput {
  /** By workspace, date and hour. */
  private readonly hours = new Map<string, { readonly fromMs: number; readonly count: Promise<number> }>();
  /** Of which workspace, date and span there were too many to count at once, and when. */
  private readonly many = new Map<string, number>();

  constructor(private readonly requests: Pick<ListedRequestsStore, 'countDated'>) {}

  /** Over the last `spanMs`, at most seven days. `ws` undefined: in all workspaces. */
  async count(ws: string | undefined, field: Dated, { now, spanMs }: { readonly now: Date; readonly spanMs: number }) {
    const [fromMs, toMs] = [now.getTime() - spanMs, now.getTime() + 1];
    const name = `${ws ?? ''}|${field}|${spanMs}`;
    if (!this.wereMany(name, toMs)) {
      const few = await this.read(ws, field, { fromMs, toMs }, MOST_AT_ONCE);
      if (few < MOST_AT_ONCE) return few;
      this.many.set(name, toMs);
    }
    this.forget(now.getTime() - LONGEST_MS);
    const hours: Promise<number>[] = [];
    for (let at = fromMs; at < toMs;) {
      const end = Math.min(toMs, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
      hours.push(this.hour(ws, field, { fromMs: at, toMs: end }, now.getTime()));
      at = end;
    }
    return (await Promise.all(hours)).reduce((sum, one) => sum + one, 0);
  }

  /** So there is no need to count up to that limit again for a while. */
  private wereMany(name: string, nowMs: number): boolean {
    const since = this.many.get(name);
    if (since !== undefined && nowMs - since < HOUR_MS) return true;
    this.many.delete(name);
    return false;
  }

  private hour(ws: string | undefined, field: Dated, span: Span, nowMs: number): Promise<number> {
    const isWhole = span.toMs - span.fromMs === HOUR_MS;
    if (!isWhole || span.toMs > nowMs - SETTLED_MS) return this.read(ws, field, span);
    const key = `${ws ?? ''}|${field}|${span.fromMs}`;
    const known = this.hours.get(key);
    if (known) return known.count;
    const count = this.read(ws, field, span);
    this.hours.set(key, { fromMs: span.fromMs, count });
    count.catch(() => this.hours.delete(key));
    return count;
  }

  private read(ws: string | undefined, field: Dated, { fromMs, toMs }: Span, limit?: number): Promise<number> {
    return this.requests.countDated(ws, { field, from: new Date(fromMs), before: new Date(toMs) }, limit);
  }

  private forget(beforeMs: number): void {
    for (const [key, { fromMs }] of this.hours) if (fromMs < beforeMs) this.hours.delete(key);
  }
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}
