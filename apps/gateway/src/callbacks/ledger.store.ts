import { requestKey } from '@opendsr-service/contracts';
import { declareCollection, duplicateKey, idPrefixRange } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { entryId, foldCallback } from './fold-callback';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';

/** Only a consumer that lost its partition writes at the same time. */
const MAX_TRIES = 5;

/** The entries changed repeatedly during a write; the same call may succeed later. */
export class LedgerContended extends Error {
  override readonly name = 'LedgerContended';
}

type Changes = ReadonlyMap<string, LedgerEntry>;

/** An entry is kept even while its admission is missing, as after a restore of an older copy. */
export class LedgerStore {
  private readonly entries: Collection<LedgerEntry>;

  constructor(connection: Connection) {
    // Entries are found by the prefix of their ids and need no other index.
    this.entries = declareCollection(connection, 'callbacks');
  }

  /** Applies events with one read and one write. Returns those that changed an entry. */
  async applyEvents(events: readonly CallbackEvent[]): Promise<ReadonlySet<CallbackEvent>> {
    const changed = new Set<CallbackEvent>();
    if (events.length === 0) return changed;
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const seen = await this.readEntries(events);
      const changes = new Map<string, LedgerEntry>();
      for (const event of events) {
        const id = entryId(event);
        const before = changes.get(id) ?? seen.get(id);
        const after = foldCallback(before, event);
        if (after === before) continue;
        changes.set(id, after);
        changed.add(event);
      }
      if (await this.writeChanges(changes, seen)) return changed;
    }
    throw new LedgerContended(`the entries changed ${MAX_TRIES} times`);
  }

  /** Ordered by URL, then by status change. */
  listByRequest(ws: string, srid: string): Promise<LedgerEntry[]> {
    return this.entries.find(ofRequest(ws, srid), { sort: { _id: 1 } }).toArray();
  }

  findByDelivery(ws: string, srid: string, delivery: string): Promise<LedgerEntry | null> {
    return this.entries.findOne({ ...ofRequest(ws, srid), delivery });
  }

  private async readEntries(events: readonly CallbackEvent[]): Promise<Changes> {
    const _id = { $in: [...new Set(events.map(entryId))] };
    const ws = { $in: [...new Set(events.map((event) => event.ws))] };
    const seen = await this.entries.find({ _id, ws }).toArray();
    return new Map(seen.map((entry) => [entry._id, entry]));
  }

  /** Compare-and-set for each entry. False: at least one changed meanwhile. */
  private async writeChanges(changes: Changes, seen: Changes): Promise<boolean> {
    const writes = [...changes.values()].map((entry) => {
      const before = seen.get(entry._id);
      return before
        ? { replaceOne: { filter: { _id: entry._id, ws: entry.ws, rev: before.rev }, replacement: entry } }
        : { insertOne: { document: entry } };
    });
    if (writes.length === 0) return true;
    try {
      const { insertedCount, matchedCount } = await this.entries.bulkWrite(writes, { ordered: false });
      return insertedCount + matchedCount === writes.length;
    } catch (error) {
      if (duplicateKey(error)) return false;
      throw error;
    }
  }
}

const ofRequest = (ws: string, srid: string) => ({ _id: idPrefixRange(requestKey(ws, srid)), ws });
