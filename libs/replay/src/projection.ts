import type { KeyObject } from 'node:crypto';
import type { LogRecord } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';

export interface StoredDocument {
  readonly _id: string;
  readonly ws: string;
}

export interface FoldContext {
  /** The time of decisions that the log requires but does not hold yet. */
  readonly now: Date;
  /** `REQUEST_KEY_KEEP_MS` */
  readonly keyKeepMs: number;
  /** Of the installation: others sign no tombstone. */
  readonly tombstoneKey: KeyObject;
}

export type Facts = Readonly<Record<string, unknown>>;

/** A collection that follows from the log (decision 3). */
export interface Projection<D extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly database: string;
  readonly collection: string;
  /** In the order of reading. The first is the main topic: its begin decides which documents are comparable. */
  readonly topics: readonly string[];
  /** Every write of the service changes one of these fields; of a list, its length. */
  readonly changingFields: readonly string[];
  /** Applies batches of one partition, in order, to `scratch`. */
  startFold(scratch: Connection, tools: FoldContext): Promise<(records: readonly LogRecord[]) => Promise<void>>;
  /** What the log alone decides. Undefined: the log does not reach back to the begin of the document. */
  facts(document: D): Facts | undefined;
  /** The document to write. It keeps decisions that the log does not hold yet. */
  merge(present: D | null, folded: D, tools: FoldContext): D;
  /** Whether the log may lack the document because its outbox is waiting. Default: no. */
  isAhead?(present: D): boolean;
  /** Whether the document holds more than the log, without an outbox that explains it. Default: no. */
  isBeyond?(present: D, folded: D): boolean;
  /** Whether an unknown document may precede the log, which begins at `since`. Default: yes. */
  mayPrecede?(present: D, since: Date): boolean;
  /** Whether a write frees a unique value; such writes go first. Default: no. */
  releasesUnique?(present: D, merged: D): boolean;
  /** What to write if another document holds one of these unique fields. */
  withoutConflicting?(document: D, fields: readonly string[]): D;
}

/** `what` holds names of fields only. */
export interface Difference {
  readonly id: string;
  readonly kind: 'missing' | 'differs' | 'surplus' | 'beyond the log' | 'changed meanwhile';
  readonly what: readonly string[];
}
