import type { Logger } from '../logger/logger';
import { Poller } from '../workers/poller';
import type { Metric, Sample } from './metrics';

export interface StoreGaugeOptions<L extends string> extends Pick<Metric<L>, 'name' | 'help' | 'labels'> {
  readonly everyMs: number;
  readonly log: Logger;
  /** Queries a store, from the start of an index. Returns few series. */
  readonly measure: () => Promise<readonly Sample<L>[]>;
}

/** A gauge that takes long waits so many times as long before it is measured again. */
const REST = 99;
/** But at most so many times `everyMs`. */
const LONGEST_REST = 4;

/**
 * A gauge that queries a store every `everyMs`; one that takes longer than a hundredth of that, less often, but at least
 * every fourth time. It is absent from the scrape while its last query failed or is late.
 */
export function storeGauge<L extends string>({
  everyMs,
  log,
  measure,
  ...of
}: StoreGaugeOptions<L>): { readonly metric: Metric<L>; readonly poller: Poller } {
  let shown: readonly Sample<L>[] = [];
  const withdraw = (): void => void (shown = []);
  let restsUntilMs = 0;
  const run = async (): Promise<number> => {
    const begunMs = performance.now();
    if (begunMs < restsUntilMs) return 0;
    const late = setTimeout(withdraw, everyMs);
    try {
      shown = await measure();
      const endedMs = performance.now();
      const restMs = REST * (endedMs - begunMs);
      // Half an interval less, so that no tick is missed by a millisecond.
      if (restMs > everyMs) restsUntilMs = endedMs + Math.min(restMs, LONGEST_REST * everyMs) - everyMs / 2;
    } catch (error) {
      withdraw();
      throw error;
    } finally {
      clearTimeout(late);
    }
    return 0;
  };
  return {
    metric: { ...of, kind: 'gauge', read: () => shown },
    poller: new Poller({
      name: of.name,
      intervalMs: everyMs,
      longestIdleMs: everyMs,
      longestBackoffMs: everyMs,
      run,
      log,
    }),
  };
}
