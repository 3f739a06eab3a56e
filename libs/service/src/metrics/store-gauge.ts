import type { Logger } from '../logger/logger';
import { Poller } from '../workers/poller';
import type { Metric, Sample } from './metrics';

export interface StoreGaugeOptions<L extends string> extends Pick<Metric<L>, 'name' | 'help' | 'labels'> {
  readonly everyMs: number;
  readonly log: Logger;
  /** Queries a store, from the start of an index. Returns few series. */
  readonly measure: () => Promise<readonly Sample<L>[]>;
}

/**
 * A gauge that queries a store every `everyMs`. It is absent from the scrape while its last query failed or is late.
 */
export function storeGauge<L extends string>({
  everyMs,
  log,
  measure,
  ...of
}: StoreGaugeOptions<L>): { readonly metric: Metric<L>; readonly poller: Poller } {
  let shown: readonly Sample<L>[] = [];
  const withdraw = (): void => void (shown = []);
  const run = async (): Promise<number> => {
    const late = setTimeout(withdraw, everyMs);
    try {
      shown = await measure();
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
