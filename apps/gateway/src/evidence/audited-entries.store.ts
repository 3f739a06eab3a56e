import type { Collection, Connection } from 'mongoose';
import { AUDITED, type AuditedEntry } from './audited-leaves';

export type StoredAuditedEntry = AuditedEntry & { readonly _id: string };

/** The entries of the audit trail that have a leaf, whoever wrote them. */
export class AuditedEntriesStore {
  private readonly entries: Collection<StoredAuditedEntry>;

  constructor(connection: Connection) {
    this.entries = connection.collection<StoredAuditedEntry>('audit');
  }

  /** Those of these times, in pages. */
  async *pages(from: Date, to: Date, size: number): AsyncGenerator<readonly StoredAuditedEntry[]> {
    // Who it was by: the index has the entries of operators alone.
    const wanted = { at: { $gte: from, $lte: to }, by: { $exists: true }, action: { $in: [...AUDITED] } };
    let page: StoredAuditedEntry[] = [];
    for await (const entry of this.entries.find(wanted, { sort: { at: 1 }, batchSize: size })) {
      page.push(entry);
      if (page.length < size) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}
