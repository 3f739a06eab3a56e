import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, nameOf, type EgressPolicy } from './egress-policy';
import type { EgressSources } from './sources.client';

const KEPT_MS = 30_000;
const NAMES_KEPT = 1_000;
/** Look-ups of a process at the same time: each has a socket of its own, and blocks the event loop a little. */
export const MOST_LOOKUPS = 200;

/** Whether the name of each URL has a refused address. Never rejects. */
export type RefusesNames = (urls: readonly string[]) => Promise<readonly boolean[]>;

/**
 * Resolves names of callback URLs. One without an answer in time, or beyond the limit of look-ups, passes, as
 * `guardedLookup` checks each connection.
 */
export function refusedNames(
  policy: EgressPolicy,
  sources: Pick<EgressSources, 'ofOtherHost'>,
  clock: { now(): number } = performance,
): RefusesNames {
  const kept = new LRUCache<string, Promise<boolean>>({ max: NAMES_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: clock });
  let lookups = 0;
  const ask = async (name: string): Promise<boolean> => {
    lookups += 1;
    try {
      return (await sources.ofOtherHost(name)).some(({ address }) => isBlockedAddress(address, policy));
    } catch {
      return false;
    } finally {
      lookups -= 1;
    }
  };
  const isRefused = (url: string): Promise<boolean> => {
    const name = nameOf(new URL(url).hostname);
    if (isIP(name) !== 0 || allowsHost(name, policy)) return Promise.resolve(false);
    const known = kept.get(name);
    if (known) return known;
    if (lookups >= MOST_LOOKUPS) return Promise.resolve(false);
    const asked = ask(name);
    kept.set(name, asked);
    return asked;
  };
  return (urls) => Promise.all(urls.map(isRefused));
}
