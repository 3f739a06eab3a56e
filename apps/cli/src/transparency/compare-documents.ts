import type { LogEntry } from './read-log';

/** A document that must have a leaf. */
export interface Expected {
  readonly kind: string;
  /** Names it for the operator. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
  /** The date that its leaf must say. */
  readonly leafDueAt?: Date;
  /** Of a receipt: by when the law wants the answer, and when the request ended. */
  readonly request?: { readonly dueAt: Date; readonly endedAt?: Date };
  /** In what else it differs from what was recorded. */
  readonly fault?: string;
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
  /** Documents that say something else than what was recorded, with what it is. */
  readonly changed: readonly string[];
  /** Requests that have not ended. */
  readonly open: number;
  /** Requests that ended after their date, or have not ended though it is past. */
  readonly late: number;
}

/** A leaf of an outage of the event log comes late; its relay repeats it for an hour at most. */
const GRACE_MS = 3_600_000;

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
  const changed: string[] = [];
  const counts = { documents: 0, onTheirWay: 0, open: 0, late: 0 };
  for await (const document of documents) {
    counts.documents += 1;
    if (isOpen(document)) counts.open += 1;
    if (isLate(document, now)) counts.late += 1;
    const place = takeEntry(unmatched, nameOf(document));
    const name = `${document.kind} of ${document.of}`;
    const fault = faultOf(document, place === undefined ? undefined : entries[place]);
    if (fault !== undefined) changed.push(`${name}: ${fault}`);
    if (place !== undefined) continue;
    if (isYoung(document, now)) counts.onTheirWay += 1;
    else missing.push(name);
  }
  const added = [...unmatched.values()].flat().filter((place) => isKnowable(entries[place] as LogEntry));
  return { ...counts, missing, changed, added: added.sort((a, b) => a - b) };
}

function faultOf({ fault, leafDueAt }: Expected, entry: LogEntry | undefined): string | undefined {
  if (fault !== undefined || !entry || !leafDueAt) return fault;
  return Date.parse(entry.dueAt ?? '') === leafDueAt.getTime() ? undefined : 'its leaf says another date';
}

/** What follows it may still be on its way. */
export const isYoung = ({ at }: Pick<Expected, 'at'>, now: Date): boolean => now.getTime() - at.getTime() < GRACE_MS;

/** One document for one leaf: a second leaf of the same document is one too many. */
function takeEntry(unmatched: Map<string, number[]>, name: string): number | undefined {
  const [place, ...rest] = unmatched.get(name) ?? [];
  if (rest.length > 0) unmatched.set(name, rest);
  else unmatched.delete(name);
  return place;
}

const isOpen = ({ request }: Expected): boolean => request !== undefined && request.endedAt === undefined;
const isLate = ({ request }: Expected, now: Date): boolean =>
  request !== undefined && (request.endedAt ?? now) > request.dueAt;
