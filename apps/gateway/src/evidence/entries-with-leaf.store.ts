import type { Collection, Connection } from 'mongoose';
import { ACTIONS_WITH_LEAF, type EntryWithLeaf } from './audited-leaves';
import { pagesOf } from './pages-of';

export type StoredEntryWithLeaf = EntryWithLeaf & { readonly _id: string };

/** The entries of the audit trail that have a leaf, whoever wrote them. */
export class EntriesWithLeafStore {
  private readonly entries: Collection<StoredEntryWithLeaf>;

  constructor(connection: Connection) {
    this.entries = connection.collection<StoredEntryWithLeaf>('audit');
  }

  /** Those of these times, in pages. */
  pages(from: Date, to: Date, size: number): AsyncGenerator<readonly StoredEntryWithLeaf[]> {
    // Who it was by: the index has the entries of operators alone.
    const wanted = { at: { $gte: from, $lte: to }, by: { $exists: true }, action: { $in: [...ACTIONS_WITH_LEAF] } };
    return pagesOf(this.entries.find(wanted, { sort: { at: 1 }, batchSize: size }), size);
  }
}
