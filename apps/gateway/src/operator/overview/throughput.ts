import { LRUCache } from 'lru-cache';
import { Turns } from '../lists/turns';
import type { ListedRequestsStore } from '../requests/listed-requests.store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Until here an index is counted at once; beyond, hour by hour. */
const MOST_AT_ONCE = 10_000;
/** Events are applied after they happened, so what is counted of a younger time is not kept. */
const SETTLED_MS = 2 * HOUR_MS;
/** By each answer. The first overview of a process counts hundreds of them, beside requests that are received meanwhile. */
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

/** Of all answers. */
interface Kept {
  /** By workspace, date, beginning and end. */
  readonly passed: LRUCache<string, Promise<number>>;
  /** Of which workspace, date and span there were too many to count at once, and when. */
  readonly many: LRUCache<string, number>;
}

type Requests = Pick<ListedRequestsStore, 'countDated'>;

/**
 * How many requests were received or ended. Hours and days that have passed do not change, and are counted once by each
 * process.
 */
export class Throughput {
  private readonly kept: Kept = {
    passed: new LRUCache({ maxSize: MOST_KEPT, sizeCalculation: () => 1 }),
    many: new LRUCache({ maxSize: MOST_KEPT, sizeCalculation: () => 1 }),
  };

  constructor(private readonly requests: Requests) {}

  /** For one answer. */
  at(now: Date): ThroughputAt {
    return new ThroughputAt(this.requests, this.kept, now);
  }
}

/** For one answer, which waits for no other one unless that counts the same. Once a count has failed, none begins. */
class ThroughputAt {
  private readonly turns = new Turns(COUNTED_AT_ONCE);
  private readonly nowMs: number;

  constructor(
    private readonly requests: Requests,
    private readonly kept: Kept,
    private readonly now: Date,
  ) {
    this.nowMs = now.getTime();
  }

  /** Over the last `spanMs`, at most fourteen days. */
  count(of: Dated, spanMs: number): Promise<number> {
    return this.countUntilNow(of, this.nowMs - spanMs, `the last ${spanMs}`);
  }

  /** In each of the last days in UTC, in the order of `lastDays`. */
  perDay(of: Dated): Promise<readonly number[]> {
    const counts = lastDays(this.now).map((day) => {
      const span = { fromMs: day.getTime(), toMs: day.getTime() + DAY_MS };
      if (this.hasSettled(span)) return this.keep(of, span);
      if (span.toMs > this.nowMs) return this.countUntilNow(of, span.fromMs, 'today');
      return this.countByHours(of, span);
    });
    return Promise.all(counts);
  }

  private async countUntilNow(of: Dated, fromMs: number, name: string): Promise<number> {
    const span = { fromMs, toMs: this.nowMs + 1 };
    const key = `${nameOf(of)}|${name}`;
    if (!this.wereMany(key)) {
      const few = await this.read(of, span, MOST_AT_ONCE);
      if (few < MOST_AT_ONCE) return few;
      this.kept.many.set(key, this.nowMs);
    }
    return this.countByHours(of, span);
  }

  /** So there is no need to count up to that limit again for a while. */
  private wereMany(key: string): boolean {
    const since = this.kept.many.get(key);
    if (since !== undefined && this.nowMs - since < HOUR_MS) return true;
    this.kept.many.delete(key);
    return false;
  }

  private async countByHours(of: Dated, { fromMs, toMs }: Span): Promise<number> {
    const hours: Promise<number>[] = [];
    for (let at = fromMs; at < toMs;) {
      const end = Math.min(toMs, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS);
      const hour = { fromMs: at, toMs: end };
      const isKept = end - at === HOUR_MS && this.hasSettled(hour);
      hours.push(isKept ? this.keep(of, hour) : this.read(of, hour));
      at = end;
    }
    return (await Promise.all(hours)).reduce((sum, one) => sum + one, 0);
  }

  private keep(of: Dated, span: Span): Promise<number> {
    const { passed } = this.kept;
    const key = `${nameOf(of)}|${span.fromMs}|${span.toMs}`;
    // What another answer could not count is counted here.
    const known = passed.get(key)?.catch(() => this.keep(of, span));
    if (known) return known;
    const count = this.read(of, span);
    passed.set(key, count);
    count.catch(() => passed.delete(key));
    return count;
  }

  private read({ ws, field }: Dated, { fromMs, toMs }: Span, limit?: number): Promise<number> {
    const time = { field, from: new Date(fromMs), before: new Date(toMs) };
    return this.turns.take(() => this.requests.countDated(ws, time, limit));
  }

  private hasSettled({ toMs }: Span): boolean {
    return toMs <= this.nowMs - SETTLED_MS;
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
