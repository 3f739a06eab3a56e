import { optionalIndex } from '@opendsr-service/storage';
import { Schema, type Connection, type Model } from 'mongoose';
import type { RequestDocument } from './request.document';

/** Requests that have not ended: only their statuses sort from `in_progress` on. */
export const OPEN_FILTER = { status: { $gte: 'in_progress' } } as const;

const optionalDate = { type: Date, required: false } as const;

/** Declares indexes only: the stores use the collection itself. */
const requestSchema = new Schema<RequestDocument>(
  {
    _id: String,
    ws: String,
    status: String,
    type: String,
    receivedAt: Date,
    expectedAt: Date,
    groupId: String,
    slot: Number,
    fingerprint: String,
    kid: String,
    startAt: optionalDate,
    outboxAt: optionalDate,
    outboxSince: optionalDate,
    keyDueAt: optionalDate,
    keyDueSince: optionalDate,
    personsAt: optionalDate,
    attestAt: optionalDate,
    completedAt: optionalDate,
    cancelledAt: optionalDate,
    callbacksFailing: Boolean,
    dueBy: optionalDate,
    atRiskAt: optionalDate,
    countedBy: String,
    workspaceClass: String,
  },
  { strict: false, versionKey: false },
);
requestSchema.index(
  { ws: 1, fingerprint: 1 },
  { unique: true, partialFilterExpression: { fingerprint: { $exists: true } } },
);
requestSchema.index(
  { ws: 1, groupId: 1, slot: 1 },
  { unique: true, partialFilterExpression: { slot: { $exists: true } } },
);
requestSchema.index({ startAt: 1 }, { partialFilterExpression: { startAt: { $exists: true } } });
requestSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });
requestSchema.index({ outboxSince: 1 }, { partialFilterExpression: { outboxSince: { $exists: true } } });
requestSchema.index({ keyDueAt: 1 }, { partialFilterExpression: { keyDueAt: { $exists: true } } });
requestSchema.index({ keyDueSince: 1 }, { partialFilterExpression: { keyDueAt: { $exists: true } } });
requestSchema.index({ personsAt: 1 }, { partialFilterExpression: { personsAt: { $exists: true } } });
requestSchema.index({ attestAt: 1 }, { partialFilterExpression: { attestAt: { $exists: true } } });
requestSchema.index({ ws: 1, kid: 1 });
requestSchema.index({ status: 1, type: 1, expectedAt: 1 }, { partialFilterExpression: OPEN_FILTER });
// For the lists of operators, where their API is served. No write after the insert changes a field of these two.
requestSchema.index({ receivedAt: -1, _id: -1 }, optionalIndex);
requestSchema.index({ ws: 1, receivedAt: -1, _id: -1 }, optionalIndex);
// These two change with the status.
requestSchema.index({ status: 1, receivedAt: -1, _id: -1 }, optionalIndex);
requestSchema.index({ ws: 1, status: 1, receivedAt: -1, _id: -1 }, optionalIndex);
// Only what has ended, or has a failing callback, is in these.
for (const field of ['completedAt', 'cancelledAt'] as const) {
  const ofEnded = { ...optionalIndex, partialFilterExpression: { [field]: { $exists: true } } };
  requestSchema.index({ [field]: -1, _id: -1 }, ofEnded);
  requestSchema.index({ ws: 1, [field]: -1, _id: -1 }, ofEnded);
}
const ofFailing = { ...optionalIndex, partialFilterExpression: { callbacksFailing: { $exists: true } } };
requestSchema.index({ callbacksFailing: 1, receivedAt: -1, _id: -1 }, ofFailing);
requestSchema.index({ ws: 1, callbacksFailing: 1, receivedAt: -1, _id: -1 }, ofFailing);
// For the counts of operators, likewise.
requestSchema.index({ status: 1, atRiskAt: 1 }, { ...optionalIndex, partialFilterExpression: OPEN_FILTER });
requestSchema.index({ ws: 1, status: 1, atRiskAt: 1 }, { ...optionalIndex, partialFilterExpression: OPEN_FILTER });
// With the status, because counts of what has not ended would read each document for it.
requestSchema.index({ dueBy: 1, _id: 1, status: 1 }, { partialFilterExpression: OPEN_FILTER });
requestSchema.index({ ws: 1, dueBy: 1, _id: 1, status: 1 }, { partialFilterExpression: OPEN_FILTER });
requestSchema.index(
  { workspaceClass: 1, countedBy: 1, type: 1, status: 1, atRiskAt: 1, dueBy: 1 },
  { partialFilterExpression: OPEN_FILTER },
);

export const requestModel = (connection: Connection): Model<RequestDocument> =>
  connection.models.Request
    ? connection.model<RequestDocument>('Request')
    : connection.model<RequestDocument>('Request', requestSchema, 'requests');
