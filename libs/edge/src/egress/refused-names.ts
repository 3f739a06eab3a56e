import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, nameOf, type EgressPolicy } from './egress-policy';
import type { EgressSources } from './sources.client';

/** How long an answer about a name counts, and of how many names one is kept. */
const KEPT_MS = 30_000;
const NAMES_KEPT = 1_000;

/** For each URL whether its name has an address that is refused. Never rejects. */
export type RefusesNames = (urls: readonly string[]) => Promise<readonly boolean[]>;

/**
 * Asks DNS for the names of URLs in which `callbackUrlFault` finds nothing, each name once, all at the same time.
 * Names that the operator vouches
 * for are not asked for, and what is not answered in the time of the sources is not refused: the boundary is the check at each connection
 * (`guardedLookup`). Answers are kept for half a minute, so that a controller's usual host costs nothing; `clock`: by
 * what that is measured.
 */
export function refusedNames(
  policy: EgressPolicy,
  sources: Pick<EgressSources, 'ofStranger'>,
  clock: { now(): number } = performance,
): RefusesNames {
  const kept = new LRUCache<string, Promise<boolean>>({ max: NAMES_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: clock });
  const ask = (name: string): Promise<boolean> =>
    sources.ofStranger(name).then(
      (addresses) => addresses.some(({ address }) => isBlockedAddress(address, policy)),
      () => false,
    );
  const isRefused = (url: string): Promise<boolean> => {
    const name = nameOf(new URL(url).hostname);
    if (isIP(name) !== 0 || allowsHost(name, policy)) return Promise.resolve(false);
    const known = kept.get(name);
    if (known) return known;
    const asked = ask(name);
    kept.set(name, asked);
    return asked;
  };
  return (urls) => Promise.all(urls.map(isRefused));
}
