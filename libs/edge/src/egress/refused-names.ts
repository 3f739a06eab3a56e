import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, nameOf, type EgressPolicy } from './egress-policy';
import type { EgressSources } from './sources.client';

const KEPT_MS = 30_000;
const NAMES_KEPT = 1_000;

/** Whether the name of each URL has a refused address. Never rejects. */
export type RefusesNames = (urls: readonly string[]) => Promise<readonly boolean[]>;

/** Resolves names of callback URLs; one without an answer in time passes, as `guardedLookup` checks each connection. */
export function refusedNames(
  policy: EgressPolicy,
  sources: Pick<EgressSources, 'ofOtherHost'>,
  clock: { now(): number } = performance,
): RefusesNames {
  const kept = new LRUCache<string, Promise<boolean>>({ max: NAMES_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: clock });
  const ask = (name: string): Promise<boolean> =>
    sources.ofOtherHost(name).then(
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
