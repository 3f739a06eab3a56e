import { problemOf } from '../../api/problem';
import { auditRange, type Audited, type Range } from '../../proof/audit';
import { parsedJson } from '../../proof/bytes';
import { openCheckpoint } from '../../proof/checkpoint';
import { readKey } from '../../proof/note';

/** Where the service publishes its log, for everyone. */
const LOG = '/transparency/';
const MISSING = 404;

/** So many entries are read in one audit. */
export const MOST_AUDITED = 25_600;

/** What an audit was about, and what it found. `entry`: undefined where the checkpoint is not signed by the key. */
export type Verdict = { readonly range: Range } & (Audited | { readonly isSound: false; readonly fault: undefined });

/** Audits a range against a checkpoint, with the key that the viewer believes. */
export async function auditLog(checkpoint: string, verifierKey: string, range: Range): Promise<Verdict> {
  const key = await readKey(verifierKey);
  const head = key && (await openCheckpoint(checkpoint, key));
  if (!head) return { range, isSound: false, fault: undefined };
  return { range, ...(await auditRange(head, range, readLog)) };
}

async function readLog(path: string): Promise<Uint8Array | undefined> {
  const answer = await fetch(`${LOG}${path}`);
  if (answer.status === MISSING) return undefined;
  if (!answer.ok) throw await problemOf(answer);
  return new Uint8Array(await answer.arrayBuffer());
}

/** How many entries of each kind there are, by name. */
export function kindsOf(entries: readonly Uint8Array[]): readonly (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { kind } = (parsedJson(entry) ?? {}) as { readonly kind?: unknown };
    const name = typeof kind === 'string' ? kind : '?';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
