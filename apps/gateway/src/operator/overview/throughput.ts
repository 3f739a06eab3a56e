import { LRUCache } from 'lru-cache';
import { Turns } from '../lists/turns';
import type { ListedRequestsStore } from '../requests/listed-requests.store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Until here an index is counted at once; beyond, hour by hour. */
const MOST_AT_ONCE = 10_000;
/** Events are applied after they happened, so what is counted of a younger time is not kept. */
const SETTLED_MS = 2 * HOUR_MS;
/** The first overview of a process counts hundreds of them, beside requests that are received meanwhile. */
const COUNTED_AT_ONCE = 2;
/** How many days are counted each by itself: this one, and those before it. */
export const DAYS = 14;
/** 15 MB: the days of 1,000 workspaces by each of their dates. A caller may name workspaces that do not exist. */
export const MOST_KEPT = 50_000;

/** Which requests: of a workspace, or of all of them where it is undefined, by one of their dates. */
export interface Dated {
  readonly ws: string | undefined;
  readonly field: 'receivedAt' | 'completedAt' | 'cancelledAt';
}

/**
 * How many requests were received or ended. Hours and days that have passed do not change, and are counted once by each
 * process.
 */
export class Throughput {
  /** By workspace, date, beginning and end. */
  private readonly passed = new LRUCache<string, Promise<number>>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 });
  /** Of which workspace, date and span there were too many to count at once, and when. */
  private readonly many = new LRUCache<string, number>({ maxSize: MOST_KEPT, sizeCalculation: () => 1 });
  /** Of all callers. */
  private readonly turns = new Turns(COUNTED_AT_ONCE);

  constructor(private readonly requests: Pick<ListedRequestsStore, 'countDated'>) {}

  /** Over the last `spanMs`, at most fourteen days. */
  count(of: Dated, { now, spanMs }: { readonly now: Date; readonly spanMs: number }): Promise<number> {
    const nowMs = now.getTime();
    return this.countUntilNow(of, nowMs - spanMs, { name: `the last ${spanMs}`, nowMs });
  }

  /** In each of the last days in UTC, in the order of `lastDays`. */
  perDay(of: Dated, now: Date): Promise<readonly number[]> {
    const nowMs = now.getTime();
    const counts = lastDays(now).map((day) => {
      const span = { fromMs: day.getTime(), toMs: day.getTime() + DAY_MS };
      if (hasSettled(span, nowMs)) return this.keep(of, span);
      if (span.toMs > nowMs) return this.countUntilNow(of, span.fromMs, { name: 'today', nowMs });
      return this.countByHours(of, span, nowMs);
    });
    return Promise.all(counts);
  }

  private async countUntilNow(of: Dated, fromMs: number, { name, nowMs }: { name: string; nowMs: number }) {
    const span = { fromMs, toMs: nowMs + 1 };
    const key = `${nameOf(of)}|${name}`;
    if (!this.wereMany(key, nowMs)) {
      const few = await this.read(of, span, MOST_AT_ONCE);
      if (few < MOST_AT_ONCE) return few;
      this.many.set(key, nowMs);
    }
    return this.countByHours(of, span, nowMs);
  }

  /** So there is no need to count up to that limit again for a while. */
  private wereMany(key: string, nowMs: number): boolean {
    const since = this.many.get(key);
    if (since !== undefined && nowMs - since < HOUR_MS) return true;
    this.many.delete(key);
    return false;
  }

  private async countByHours(of: Dated, { fromMs, toMs }: Span, nowMs: number): Promise<number> {
    const hours: Promise<number>[] = [];
    for (let at = fromMs; at < toMs;) {
      const end = Math.min(toMs, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
      const hour = { fromMs: at, toMs: end };
      const isKept = end - at === HOUR_MS && hasSettled(hour, nowMs);
      hours.push(isKept ? this.keep(of, hour) : this.read(of, hour));
      at = end;
    }
    return (await Promise.all(hours)).reduce((sum, one) => sum + one, 0);
  }

  private keep(of: Dated, span: Span): Promise<number> {
    const key = `${nameOf(of)}|${span.fromMs}|${span.toMs}`;
    const known = this.passed.get(key);
    if (known) return known;
    const count = this.read(of, span);
    this.passed.set(key, count);
    count.catch(() => this.passed.delete(key));
    return count;
  }

  private read({ ws, field }: Dated, { fromMs, toMs }: Span, limit?: number): Promise<number> {
    const time = { field, from: new Date(fromMs), before: new Date(toMs) };
    return this.turns.take(() => this.requests.countDated(ws, time, limit));
  }
}

/** The beginnings of the last days in UTC, the earliest first. The last of them is not over. */
export function lastDays(now: Date): readonly Date[] {
  const todayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, n) => new Date(todayMs - (DAYS - 1 - n) * DAY_MS));
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const nameOf = ({ ws, field }: Dated): string => `${ws ?? ''}|${field}`;

const hasSettled = ({ toMs }: Span, nowMs: number): boolean => toMs <= nowMs - SETTLED_MS;
