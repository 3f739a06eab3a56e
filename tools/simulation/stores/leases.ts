import { messageId } from '@opendsr-service/contracts';
import type { Owner } from '../engine/owner';

/** The collection of the callback-dispatcher's destinations, as the diary of a world calls it. */
const DESTINATIONS = 'callback_dispatcher.destinations';
/** More than a request has events. */
const MOST_VERSIONS = 60;

/** What a write of a claim, or of what renews it, looks like. */
interface Filter {
  readonly _id?: string | { readonly $in: readonly string[] };
  readonly token?: unknown;
}
interface Update {
  readonly $set?: { readonly dueAt?: Date; readonly token?: string };
  readonly $unset?: Readonly<Record<string, unknown>>;
}

/** When the lease ends that this write sets, if it sets one. A write that queues a callback sets when it is due, and names no token. */
const endOf = ({ token }: Filter, { $set, $unset }: Update): number | undefined =>
  (typeof token === 'string' || $set?.token) && !($unset && 'token' in $unset) ? $set?.dueAt?.getTime() : undefined;

const destinationsOf = ({ _id = { $in: [] } }: Filter): readonly string[] =>
  typeof _id === 'string' ? [_id] : _id.$in;

/**
 * Until when each process holds destinations, from its writes: a claim, or a write that keeps the token and sets a new
 * end.
 */
export class Leases {
  private readonly ends = new Map<string, number>();

  /** Takes note of a write that was done. */
  note(owner: Owner, collection: string, [filter, update]: readonly unknown[]): void {
    const endMs = collection === DESTINATIONS ? endOf(filter ?? {}, update ?? {}) : undefined;
    if (endMs === undefined) return;
    for (const destination of destinationsOf(filter ?? {})) this.ends.set(`${owner.name} ${destination}`, endMs);
  }

  /** Until when it holds the destination of the callback with this id; undefined: it never did. */
  until(owner: Owner, srid: string, delivery: string): number | undefined {
    const isIts = (destination: string): boolean =>
      Array.from({ length: MOST_VERSIONS }, (_, v) => messageId(destination, v + 1)).includes(delivery);
    for (const [key, endMs] of this.ends) {
      const destination = key.slice(owner.name.length + 1);
      if (key.startsWith(`${owner.name} `) && destination.includes(srid) && isIts(destination)) return endMs;
    }
    return undefined;
  }
}
