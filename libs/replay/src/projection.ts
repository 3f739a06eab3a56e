import type { LogRecord } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';

/** What every document has that follows from the log. */
export interface StoredDocument {
  readonly _id: string;
  readonly ws: string;
}

/** What a fold is given besides the log. */
export interface FoldContext {
  /** The time of decisions that the log demands and that are not taken yet. */
  readonly now: Date;
  /** How long the key of a request is kept once nothing needs it; milliseconds (`REQUEST_KEY_KEEP_MS`). */
  readonly keyKeepMs: number;
}

export type Facts = Readonly<Record<string, unknown>>;

/** A collection that follows from the log (decision 3): each document is folded from nothing and then compared. */
export interface Projection<D extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly database: string;
  readonly collection: string;
  /** Read in this order. The first is the record: how far back it reaches decides which documents can be compared. */
  readonly topics: readonly string[];
  /** Every write of the service changes one of these fields. Of a list the length counts. */
  readonly changingFields: readonly string[];
  /** Takes batches of one partition, in order, into `scratch`. Publishes nothing, skips malformed records. */
  startFold(scratch: Connection, tools: FoldContext): Promise<(records: readonly LogRecord[]) => Promise<void>>;
  /** What the log alone decides. Undefined: the log no longer reaches back to the beginning of the document. */
  facts(document: D): Facts | undefined;
  /** The document to be written. A decision that the log has not heard of yet stays. */
  merge(present: D | null, folded: D, tools: FoldContext): D;
  /** Whether the log need not know a document yet, as what made it still waits in its outbox. By default it must. */
  isAhead?(present: D): boolean;
  /** Whether a document says more than the log does, and nothing in its outbox explains that. By default none does. */
  isBeyond?(present: D, folded: D): boolean;
  /** Whether an unknown document may be older than the log, which begins at `since`. Default: yes. */
  mayPrecede?(present: D, since: Date): boolean;
  /** Whether a write lets go of a value that must be unique: such writes go first. By default none does. */
  releasesUnique?(present: D, merged: D): boolean;
  /** What is written instead where another document holds one of these fields, which must be unique. */
  withoutConflicting?(document: D, fields: readonly string[]): D;
}

/** How a document of the database differs from the log. `what` holds names of fields only. */
export interface Difference {
  readonly id: string;
  readonly kind: 'missing' | 'differs' | 'surplus' | 'beyond the log' | 'changed meanwhile';
  readonly what: readonly string[];
}
