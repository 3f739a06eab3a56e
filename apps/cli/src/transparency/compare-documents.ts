import type { LogEntry } from './read-log';

/** A document that must have a leaf. */
export interface Expected {
  readonly kind: string;
  /** Names it for the operator. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
  /** Of a receipt. */
  readonly dueAt?: Date;
  readonly endedAt?: Date;
}

export interface Compared {
  /** Documents. */
  readonly documents: number;
  /** Documents without a leaf. */
  readonly missing: readonly string[];
  /** Documents so young that their leaf may be on its way. */
  readonly onTheirWay: number;
  /** Places of leaves without a document. */
  readonly added: readonly number[];
  /** Requests that have not ended. */
  readonly open: number;
  /** Requests that ended after their date, or have not ended though it is past. */
  readonly late: number;
}

/** A leaf of an outage of the event log comes late; its relay repeats it for an hour at most. */
export const GRACE_MS = 3_600_000;

const nameOf = ({ kind, digest }: Pick<LogEntry, 'kind' | 'digest'>): string => `${kind} ${digest}`;

/** Compares the leaves with the documents. `isKnowable`: whether the document of a leaf would still be there. */
export async function compareDocuments(
  entries: readonly LogEntry[],
  documents: AsyncIterable<Expected>,
  now: Date,
  isKnowable: (entry: LogEntry) => boolean,
): Promise<Compared> {
  const unmatched = new Map<string, number[]>();
  for (const [place, entry] of entries.entries())
    unmatched.set(nameOf(entry), [...(unmatched.get(nameOf(entry)) ?? []), place]);
  const missing: string[] = [];
  const counts = { documents: 0, onTheirWay: 0, open: 0, late: 0 };
  for await (const document of documents) {
    counts.documents += 1;
    if (isOpen(document)) counts.open += 1;
    if (isLate(document, now)) counts.late += 1;
    if (take(unmatched, nameOf(document))) continue;
    if (now.getTime() - document.at.getTime() < GRACE_MS) counts.onTheirWay += 1;
    else missing.push(`${document.kind} of ${document.of}`);
  }
  const added = [...unmatched.values()].flat().filter((place) => isKnowable(entries[place] as LogEntry));
  return { ...counts, missing, added: added.sort((a, b) => a - b) };
}

/** One document for one leaf: a second leaf of the same document is one too many. */
function take(unmatched: Map<string, number[]>, name: string): boolean {
  const [place, ...rest] = unmatched.get(name) ?? [];
  if (rest.length > 0) unmatched.set(name, rest);
  else unmatched.delete(name);
  return place !== undefined;
}

const isOpen = ({ dueAt, endedAt }: Expected): boolean => dueAt !== undefined && endedAt === undefined;
const isLate = ({ dueAt, endedAt }: Expected, now: Date): boolean => dueAt !== undefined && (endedAt ?? now) > dueAt;
