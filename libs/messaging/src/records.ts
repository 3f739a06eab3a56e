import { PublishRefused } from './errors';

/** The most bytes of key, value and headers of a record: a broker accepts 1 MiB at most, framing included. */
export const MAX_RECORD_BYTES = 900 * 1024;

/** A record to publish. Records of one key keep their order; keys and headers are text. */
export interface OutgoingRecord {
  readonly key: string;
  readonly value: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A record as it is written. */
export type AcceptedRecord = OutgoingRecord & { readonly value: Buffer };

/** With the bytes that count for limits. */
interface SizedRecord {
  readonly message: AcceptedRecord;
  readonly bytes: number;
}

/** More than the headers that tracing adds to a record. */
const TRACING_BYTES = 256;

/** Whether a publisher takes this record, also with the headers that tracing adds. */
export const isPublishable = ({ key, value, headers }: OutgoingRecord): boolean =>
  Buffer.byteLength(value) + bytesBeside({ key, headers }) <= MAX_RECORD_BYTES - TRACING_BYTES;

const bytesBeside = ({ key, headers }: Pick<OutgoingRecord, 'key' | 'headers'>): number =>
  Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(headers));

/** Throws PublishRefused for a record of more than `MAX_RECORD_BYTES`. */
export function sizedRecord(topic: string, { key, value, headers }: OutgoingRecord): SizedRecord {
  const message = { key, value: typeof value === 'string' ? Buffer.from(value) : value, headers };
  const bytes = message.value.length + bytesBeside(message);
  if (bytes > MAX_RECORD_BYTES)
    throw new PublishRefused('too-large', `a record for ${topic} has ${bytes} bytes, ${MAX_RECORD_BYTES} are the most`);
  return { message, bytes };
}

/** A stored record. `offset` is decimal text, as it may exceed 2^53; the key of a keyless record is ''. */
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
 * blocks later records of its key. `aside` blocks nothing: a forged record of an outsider must not stop others. The
 * reason is a code, never personal data. `again`: the time of the batch ended before this record; never for a first
 * record.
 */
export type Verdict = 'done' | 'skip' | 'again' | SkipReason | { readonly park: string; readonly aside?: true };

/** Why a record is skipped: a later version wrote it, or the key that seals it is destroyed. */
export type SkipReason = 'later-version' | 'key-gone';

export const holdsBack = (verdict: Verdict): boolean => typeof verdict === 'object' && !verdict.aside;
