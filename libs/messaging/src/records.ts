/** A record on its way into the log. Records of one key keep their order; keys and headers are text. */
export interface OutgoingRecord {
  readonly key: string;
  readonly value: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A record as the log hands it out. `offset` is decimal text, as it may exceed 2^53. A foreign record without key has
 * the key ''.
 */
export interface LogRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestampMs: number;
}

/** The next offset of each partition, as decimal text, by the partition's number. */
export type Positions = Readonly<Record<string, string>>;

/**
 * The handler's decision about one record: `done` took effect, `skip` needs none, `park` keeps it with a reason and
 * blocks later records of its key. `aside` blocks nothing: on a topic that outsiders write, a forged record must not
 * stop others. The reason is a code, never personal data. `again`: the time of the batch ended before this record;
 * never the answer for a first record.
 */
export type Verdict = 'done' | 'skip' | 'again' | SkipReason | { readonly park: string; readonly aside?: true };

/**
 * Why a record is passed over that means something, but not here: a later version wrote it, or it is sealed under a key
 * that is destroyed. It is logged and counted.
 */
export type SkipReason = 'later-version' | 'key-gone';

export const holdsBack = (verdict: Verdict): boolean => typeof verdict === 'object' && !verdict.aside;
