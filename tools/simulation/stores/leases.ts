import { messageId } from '@opendsr-service/contracts';
import type { Owner } from '../engine/owner';

/** The collection of the callback-dispatcher's lanes, as the diary of a world calls it. */
const LANES = 'callback_dispatcher.lanes';
/** More than a request has events. */
const MOST_VERSIONS = 60;

/** What is asked of a collection, as far as leases are written by it. */
interface Write {
  readonly filter: { readonly _id?: string | { readonly $in: readonly string[] } };
  readonly update: { readonly $set?: { readonly dueAt?: Date }; readonly $unset?: Readonly<Record<string, unknown>> };
}

/** Until when each process holds lanes, by what it wrote: a claim, or a write that keeps the token and sets the end anew. */
export class Leases {
  private readonly ends = new Map<string, number>();

  /** Takes note of a write that was done. */
  note(owner: Owner, collection: string, [filter, update]: readonly unknown[]): void {
    if (collection !== LANES || !isWrite({ filter, update })) return;
    const { filter: { _id }, update: { $set, $unset } } = { filter, update } as Write;
    if ($set?.dueAt === undefined || $unset?.['token'] !== undefined) return;
    for (const lane of typeof _id === 'string' ? [_id] : (_id?.$in ?? [])) this.ends.set(`${owner.name} ${lane}`, $set.dueAt.getTime());
  }

  /** Until when it holds the lane of the callback with this id; undefined: it never did. */
  until(owner: Owner, srid: string, delivery: string): number | undefined {
    const isIts = (lane: string): boolean => Array.from({ length: MOST_VERSIONS }, (_, v) => messageId(lane, v + 1)).includes(delivery);
    for (const [key, endMs] of this.ends) {
      const lane = key.slice(owner.name.length + 1);
      if (key.startsWith(`${owner.name} `) && lane.includes(srid) && isIts(lane)) return endMs;
    }
    return undefined;
  }
}

const isWrite = ({ filter, update }: { filter: unknown; update: unknown }): boolean => typeof filter === 'object' && typeof update === 'object' && !Array.isArray(filter) && !Array.isArray(update);
