import type { Connection } from 'mongoose';
import { dropDigest, revealDigest, REVEALS, type DropEntry, type RevealEntry } from '../evidence/audited-leaves';
import type { Evidence } from './evidence-facts.store';

/** The drops of the audit trail. */
export async function* dropsOf(connection: Connection): AsyncGenerator<Evidence> {
  const entries = connection.collection<DropEntry & { readonly _id: string }>('audit');
  for await (const { _id, ...entry } of entries.find({ action: 'parked-drop-asked' }))
    yield { of: `audit ${_id}`, digest: dropDigest(_id, entry), at: entry.at };
}

/** The reveals of the audit trail. */
export async function* revealsOf(connection: Connection): AsyncGenerator<Evidence> {
  const entries = connection.collection<RevealEntry & { readonly _id: string }>('audit');
  for await (const { _id, ...entry } of entries.find({ action: { $in: [...REVEALS] } }))
    yield { of: `audit ${_id}`, digest: revealDigest(_id, entry), at: entry.at };
}
