import type { Collection, Connection } from 'mongoose';
import { AUDITED, type AuditedEntry } from './audited-leaves';
import { pagesOf } from './pages-of';

export type StoredAuditedEntry = AuditedEntry & { readonly _id: string };

/** The entries of the audit trail that have a leaf, whoever wrote them. */
export class AuditedEntriesStore {
  private readonly entries: Collection<StoredAuditedEntry>;

  constructor(connection: Connection) {
    this.entries = connection.collection<StoredAuditedEntry>('audit');
  }

  /** Those of these times, in pages. */
  pages(from: Date, to: Date, size: number): AsyncGenerator<readonly StoredAuditedEntry[]> {
    // Who it was by: the index has the entries of operators alone.
    const wanted = { at: { $gte: from, $lte: to }, by: { $exists: true }, action: { $in: [...AUDITED] } };
    return pagesOf(this.entries.find(wanted, { sort: { at: 1 }, batchSize: size }), size);
  }
}
