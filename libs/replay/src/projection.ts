import type { LogRecord } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';

/** What every document has that follows from the log. */
export interface StoredDocument {
  readonly _id: string;
  readonly ws: string;
}

/** What a fold is given besides the log. */
export interface FoldContext {
  /** For decisions that the log demands and that nobody has taken yet. */
  readonly now: Date;
  /** How long the key of a request is kept once nothing needs it; milliseconds (`REQUEST_KEY_KEEP_MS`). */
  readonly keyKeepMs: number;
}

/** Plain values by name, which two documents have to agree on. */
export type Facts = Readonly<Record<string, unknown>>;

/** A collection that follows from the log (D3), and how: each of its documents is folded from nothing, beside the database, and then compared. */
export interface Projection<D extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly database: string;
  readonly collection: string;
  /** Each is read from its beginning to its end, one after the other. The first is the record: how far back it reaches decides which documents can be compared. */
  readonly topics: readonly string[];
  /** Of these fields every write of its service changes one: by them it is told that a document is still as it was seen. Of a list the length counts. */
  readonly changingFields: readonly string[];
  /**
   * What takes records into `scratch`, a connection to an empty store: batches of one partition, in order, each batch once. It parks,
   * publishes and sends nothing, passes over what is malformed, and keeps the folded documents in `collection`.
   */
  startFold(scratch: Connection, tools: FoldContext): Promise<(records: readonly LogRecord[]) => Promise<void>>;
  /** What of a document the log alone decides. Undefined, of a folded one: the log no longer reaches back to its beginning, so that it is not compared. */
  facts(document: D): Facts | undefined;
  /** The document as it has to be, from the one in the database (null: missing) and the folded one. A decision that the log has not heard of yet stays. */
  merge(present: D | null, folded: D, tools: FoldContext): D;
  /** Whether the log need not know a document yet, as what made it still waits in its outbox. By default it must. */
  isAhead?(present: D): boolean;
  /** Whether a document says more than the log does, and nothing in its outbox explains that. By default none does. */
  isBeyond?(present: D, folded: D): boolean;
  /** Whether a document that the log does not know may be older than what the log still holds, which begins at `since`. By default it may. */
  mayPrecede?(present: D, since: Date): boolean;
  /** Whether a write lets go of a value that must be unique: such writes go first. By default none does. */
  releasesUnique?(present: D, merged: D): boolean;
  /** What is written instead where another document holds one of these fields, which must be unique. */
  withoutConflicting?(document: D, fields: readonly string[]): D;
}

/** How a document of the database stands to the log. Of `what` only the names of fields are told. */
export interface Difference {
  readonly id: string;
  readonly kind: 'missing' | 'differs' | 'surplus' | 'beyond the log' | 'changed meanwhile';
  readonly what: readonly string[];
}
