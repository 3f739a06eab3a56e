import { indexedModel, optionalIndex, type DeclaredIndex } from '@opendsr-service/storage';
import type { Connection, Model } from 'mongoose';
import type { RequestDocument } from './request.document';

/** Requests that have not ended: only their statuses sort from `in_progress` on. */
export const OPEN_FILTER = { status: { $gte: 'in_progress' } } as const;

const having = (field: keyof RequestDocument) => ({ partialFilterExpression: { [field]: { $exists: true } } });
const uniqueHaving = (field: keyof RequestDocument) => ({ unique: true, ...having(field) });
const ofOpen = { partialFilterExpression: OPEN_FILTER };

/** For queries about all workspaces, and for those about some. */
const andByWorkspace = (fields: DeclaredIndex[0], options: DeclaredIndex[1]): DeclaredIndex[] => [
  [fields, options],
  [{ ws: 1, ...fields }, options],
];

/** Stores use the collection itself. */
export const requestModel = (connection: Connection): Model<RequestDocument> =>
  indexedModel(connection, 'requests', [
    [{ ws: 1, fingerprint: 1 }, uniqueHaving('fingerprint')],
    [{ ws: 1, groupId: 1, slot: 1 }, uniqueHaving('slot')],
    [{ startAt: 1 }, having('startAt')],
    [{ outboxAt: 1 }, having('outboxAt')],
    [{ outboxSince: 1 }, having('outboxSince')],
    [{ keyDueAt: 1 }, having('keyDueAt')],
    [{ keyDueSince: 1 }, having('keyDueAt')],
    [{ personsAt: 1 }, having('personsAt')],
    [{ attestAt: 1 }, having('attestAt')],
    [{ ws: 1, kid: 1 }],
    [{ status: 1, type: 1, expectedAt: 1 }, ofOpen],
    // For the lists of operators, where their API is served. No write after the insert changes a field of these.
    ...andByWorkspace({ receivedAt: -1, _id: -1 }, optionalIndex),
    // These change with the status.
    ...andByWorkspace({ status: 1, receivedAt: -1, _id: -1 }, optionalIndex),
    // Only what has ended, or has a failing callback, is in these.
    ...andByWorkspace({ completedAt: -1, _id: -1 }, { ...optionalIndex, ...having('completedAt') }),
    ...andByWorkspace({ cancelledAt: -1, _id: -1 }, { ...optionalIndex, ...having('cancelledAt') }),
    ...andByWorkspace(
      { callbacksFailing: 1, receivedAt: -1, _id: -1 },
      { ...optionalIndex, ...having('callbacksFailing') },
    ),
    // For the counts of operators, likewise.
    ...andByWorkspace({ status: 1, atRiskAt: 1 }, { ...optionalIndex, ...ofOpen }),
    // With the status, because counts of what has not ended would read each document for it.
    ...andByWorkspace({ dueBy: 1, _id: 1, status: 1 }, ofOpen),
    [{ workspaceClass: 1, countedBy: 1, type: 1, status: 1, atRiskAt: 1, dueBy: 1 }, ofOpen],
  ]);
