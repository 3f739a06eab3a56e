import type { Admission, ApiVersion, Command, Regulation, RequestStatus, RequestType } from '@opendsr-service/contracts';
import { Schema } from 'mongoose';

/** A command that no event has answered yet; `data` is all of it but what the entry and the document say. */
export interface OutboxEntry {
  readonly seq: number;
  readonly id: string;
  readonly type: Command['type'];
  readonly at: string;
  readonly data: object;
}

/** The admission: the one document that decides everything a controller may be told about a request (D1). */
export interface RequestDocument {
  readonly _id: string;
  readonly ws: string;
  readonly srid: string;
  readonly status: RequestStatus;
  readonly controllerId: string;
  readonly apiVersion: ApiVersion;
  readonly type: RequestType;
  readonly regulation?: Regulation;
  readonly submittedTime: Date;
  readonly receivedAt: Date;
  readonly expectedAt: Date;
  readonly groupId: string | null;
  /** Place within the group: a free number of 0..149. */
  readonly slot?: number;
  /** Set while the request waits for its start. */
  readonly startAt?: Date;
  /** Set while a second request for the same is refused. */
  readonly fingerprint?: string;
  readonly kid: string;
  readonly sealed: Pick<Admission, 'identities' | 'callbacks'>;
  /** Number of decisions taken, each the command of that number. */
  readonly seq: number;
  readonly outbox: readonly OutboxEntry[];
  /** When the relay sends the outbox again; set while it holds something. */
  readonly outboxAt?: Date;
  readonly tries?: number;
  /** Version of the last request event applied. */
  readonly v: number;
  readonly startedAt?: Date;
  readonly completedAt?: Date;
  readonly cancelledAt?: Date;
}

const optionalDate = { type: Date, required: false } as const;

/** Only its indexes are used: the store reads and writes the collection itself, each decision as one operation. */
export const requestSchema = new Schema<RequestDocument>(
  { _id: String, ws: String, groupId: String, slot: Number, fingerprint: String, kid: String, startAt: optionalDate, outboxAt: optionalDate },
  { strict: false, versionKey: false },
);
requestSchema.index({ ws: 1, fingerprint: 1 }, { unique: true, partialFilterExpression: { fingerprint: { $exists: true } } });
requestSchema.index({ ws: 1, groupId: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } });
requestSchema.index({ startAt: 1 }, { partialFilterExpression: { startAt: { $exists: true } } });
requestSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
