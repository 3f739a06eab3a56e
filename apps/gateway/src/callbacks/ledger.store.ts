import { requestKey } from '@opendsr-service/contracts';
import { duplicateKey, idPrefixRange } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import { entryId, foldCallback } from './fold-callback';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';

/** Only a consumer that lost its partition, and does not know it yet, writes beside another. */
const MAX_TRIES = 5;

/** Entries changed again and again while events were to be taken in; the same call may succeed later. */
export class LedgerContended extends Error {
  override readonly name = 'LedgerContended';
}

/** Only its name is used: entries are found by the common start of their ids, and need no index besides. */
const entrySchema = new Schema<LedgerEntry>(
  { _id: String, ws: String },
  { strict: false, versionKey: false, autoIndex: false },
);

const modelOf = (connection: Connection): Model<LedgerEntry> =>
  connection.models.LedgerEntry ?? connection.model<LedgerEntry>('LedgerEntry', entrySchema, 'callbacks');

/** Entries as they are to be, by their ids. */
type Changes = ReadonlyMap<string, LedgerEntry>;

/**
 * The ledger: what became of each callback, as the log tells it. An entry is kept whether or not its request is known here: the admission
 * may be the one that is missing, in an older copy of the database, and until it is there nobody is shown its callbacks.
 */
export class LedgerStore {
  private readonly entries: Collection<LedgerEntry>;

  constructor(connection: Connection) {
    this.entries = modelOf(connection).collection as unknown as Collection<LedgerEntry>;
  }

  /** Takes events in, those of a callback in their order, with one reading and one write for all. Answers those that told something new. */
  async applyEvents(events: readonly CallbackEvent[]): Promise<ReadonlySet<CallbackEvent>> {
    const told = new Set<CallbackEvent>();
    if (events.length === 0) return told;
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const seen = await this.readEntries(events);
      const changes = new Map<string, LedgerEntry>();
      for (const event of events) {
        const id = entryId(event);
        const before = changes.get(id) ?? seen.get(id);
        const after = foldCallback(before, event);
        if (after === before) continue;
        changes.set(id, after);
        told.add(event);
      }
      if (await this.writeChanges(changes, seen)) return told;
    }
    throw new LedgerContended(`the entries changed ${MAX_TRIES} times`);
  }

  /** The callbacks of a request: by URL, and for each in the order of the status changes. At most as many as URLs and statuses allow. */
  listByRequest(ws: string, srid: string): Promise<LedgerEntry[]> {
    return this.entries.find(ofRequest(ws, srid), { sort: { _id: 1 } }).toArray();
  }

  /** The callback of a request with this delivery id; null: unknown there. */
  findByDelivery(ws: string, srid: string, delivery: string): Promise<LedgerEntry | null> {
    return this.entries.findOne({ ...ofRequest(ws, srid), delivery });
  }

  private async readEntries(events: readonly CallbackEvent[]): Promise<Changes> {
    const _id = { $in: [...new Set(events.map(entryId))] };
    const ws = { $in: [...new Set(events.map((event) => event.ws))] };
    const seen = await this.entries.find({ _id, ws }).toArray();
    return new Map(seen.map((entry) => [entry._id, entry]));
  }

  /** Each entry as it was seen or not at all. False: another wrote one of them meanwhile, the rest are written. */
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
