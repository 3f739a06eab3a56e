import type { LedgerEntry } from '../../callbacks/ledger-entry';
import { pageOf, type PageOf } from '../lists/page-of';
import type { WantedPage } from '../lists/query-reader';
import { textCursor } from '../lists/cursor';

/** Names the list of the callbacks of a request in its cursors. */
export const CALLBACKS = 'callbacks';

/** A callback in the list: by URL, then by status change. */
type CallbackPlace = Pick<LedgerEntry, 'destination' | 'version'>;

export const callbackCursor = ({ destination, version }: CallbackPlace): string =>
  textCursor(CALLBACKS, destination, String(version));

export function callbackPlace([destination, version = '']: readonly string[]): CallbackPlace | undefined {
  if (destination === undefined || !/^\d{1,10}$/.test(version)) return undefined;
  return { destination, version: Number(version) };
}

/** `all`: those of the request, in the order of the list. */
export const callbackPage = (
  all: readonly LedgerEntry[],
  { limit, after }: WantedPage<CallbackPlace>,
): PageOf<LedgerEntry> => pageOf(after ? all.filter((one) => isBehind(one, after)) : all, limit);

const isBehind = (one: CallbackPlace, after: CallbackPlace): boolean =>
  one.destination === after.destination ? one.version > after.version : one.destination > after.destination;
