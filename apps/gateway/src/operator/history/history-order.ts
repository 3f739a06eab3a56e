import type { RequestStatus } from '@opendsr-service/contracts';
import type { Place } from '../lists/cursor';
import type { HistoryEntry } from './history-entry';
import { HISTORY_KINDS } from './history-schemas';

/** An entry where it stands: at its time or, where clocks of processes differ, at that of what it came after. */
export interface PlacedEntry extends HistoryEntry {
  readonly placedAt: Date;
}

const RANKS = new Map<string, number>(HISTORY_KINDS.map((kind, rank) => [kind, rank]));

/** What each status of a request begins with. */
const BEGINNINGS = {
  ...{ pending: 'received', in_progress: 'started', completed: 'completed', cancelled: 'cancelled' },
} as const satisfies Record<RequestStatus, HistoryEntry['kind']>;

/** By id, what certainly came before. */
function causesOf({ kind, id, facts }: HistoryEntry): readonly string[] {
  if (kind === 'received') return [];
  const { delivery_id: delivery, attempt, request_status: status } = facts;
  const begun = ['received', ...(status === undefined ? [] : [BEGINNINGS[status]])].filter((one) => one !== id);
  if (delivery === undefined || kind === 'callback_queued') return begun;
  return [
    ...begun,
    `callback_queued ${delivery}`,
    ...(attempt ? [`callback_attempted ${delivery} ${attempt - 1}`] : []),
  ];
}

/** The earliest first, none before its cause, each in one place, whatever is read again. */
export function inOrder(entries: readonly HistoryEntry[]): readonly PlacedEntry[] {
  const known = new Map(entries.map((one) => [one.id, one]));
  const placed = new Map<string, number>();
  const placeOf = (one: HistoryEntry): number => {
    const before = placed.get(one.id);
    if (before !== undefined) return before;
    const causes = causesOf(one).flatMap((id) => known.get(id) ?? []);
    const atMs = Math.max(one.at.getTime(), ...causes.map(placeOf));
    placed.set(one.id, atMs);
    return atMs;
  };
  return entries.map((one) => ({ ...one, placedAt: new Date(placeOf(one)) })).toSorted(compare);
}

/** Whether an entry stands behind a place. */
export const isBehind = ({ placedAt: at, id }: PlacedEntry, after: Place): boolean =>
  compare({ placedAt: at, id }, { placedAt: after.at, id: after.id }) > 0;

type Placed = Pick<PlacedEntry, 'placedAt' | 'id'>;

const compare = (a: Placed, b: Placed): number =>
  a.placedAt.getTime() - b.placedAt.getTime() || rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : Number(a.id > b.id));

/** An id begins with the kind. */
const rankOf = ({ id }: Placed): number => RANKS.get(id.split(' ', 1)[0] ?? '') ?? 0;
