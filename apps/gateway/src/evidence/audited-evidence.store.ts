import type { Connection } from 'mongoose';
import { dropDigest, revealDigest, type EntryWithLeaf } from './audited-leaves';
import { EntriesWithLeafStore } from './entries-with-leaf.store';
import type { Evidence } from './request-evidence.store';

const [EARLIEST, LATEST] = [new Date(-8.64e15), new Date(8.64e15)];
const PAGE = 500;

/** The entries of the audit trail that have a leaf, in pages of an index. */
export async function* auditedOf(connection: Connection): AsyncGenerator<Evidence & ReturnType<typeof provedBy>> {
  for await (const page of new EntriesWithLeafStore(connection).pages(EARLIEST, LATEST, PAGE))
    for (const { _id, ...entry } of page) yield { of: `audit ${_id}`, at: entry.at, ...provedBy(_id, entry) };
}

const provedBy = (id: string, entry: EntryWithLeaf) =>
  entry.action === 'parked-drop-asked'
    ? ({ kind: 'parked-drop', digest: dropDigest(id, entry) } as const)
    : ({ kind: 'identity-reveal', digest: revealDigest(id, entry) } as const);
