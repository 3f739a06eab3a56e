import { requestKey } from '@opendsr-service/contracts';
import { declareCollection, optionalIndex, type DeclaredIndex } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from './request.document';

/** Requests that have not ended: only their statuses sort from `in_progress` on. */
export const OPEN_FILTER = { status: { $gte: 'in_progress' } } as const;

type Fields = DeclaredIndex['fields'];

/** Of the requests that have this field. */
const having = (where: keyof RequestDocument, fields: Fields): DeclaredIndex => ({ fields, where });
const uniqueHaving = (where: keyof RequestDocument, fields: Fields): DeclaredIndex => ({
  ...having(where, fields),
  unique: true,
});
const ofOpen = (fields: Fields): DeclaredIndex => ({ fields, partialFilterExpression: OPEN_FILTER });
/** For queries about all workspaces, and for those about some. */
const andByWorkspace = (index: DeclaredIndex): DeclaredIndex[] => [
  index,
  { ...index, fields: { ws: 1, ...index.fields } },
];
/** For the lists and counts of operators, where their API is served. */
const ofOperators = (index: DeclaredIndex): DeclaredIndex[] => andByWorkspace({ ...index, ...optionalIndex });

const INDEXES: readonly DeclaredIndex[] = [
  uniqueHaving('fingerprint', { ws: 1, fingerprint: 1 }),
  uniqueHaving('slot', { ws: 1, groupId: 1, slot: 1 }),
  having('startAt', { startAt: 1 }),
  having('outboxAt', { outboxAt: 1 }),
  having('outboxSince', { outboxSince: 1 }),
  having('keyDueAt', { keyDueAt: 1 }),
  having('keyDueAt', { keyDueSince: 1 }),
  having('personsAt', { personsAt: 1 }),
  having('attestAt', { attestAt: 1 }),
  { fields: { ws: 1, kid: 1 } },
  ofOpen({ status: 1, type: 1, expectedAt: 1 }),
  // No write after the insert changes a field of these.
  ...ofOperators({ fields: { receivedAt: -1, _id: -1 } }),
  // These change with the status.
  ...ofOperators({ fields: { status: 1, receivedAt: -1, _id: -1 } }),
  // Only what has ended, or has a failing callback, is in these.
  ...ofOperators(having('completedAt', { completedAt: -1, _id: -1 })),
  ...ofOperators(having('cancelledAt', { cancelledAt: -1, _id: -1 })),
  ...ofOperators(having('callbacksFailing', { callbacksFailing: 1, receivedAt: -1, _id: -1 })),
  ...ofOperators(ofOpen({ status: 1, atRiskAt: 1 })),
  // With the status, because counts of what has not ended would read each document for it.
  ...andByWorkspace(ofOpen({ dueBy: 1, _id: 1, status: 1 })),
  ofOpen({ workspaceClass: 1, countedBy: 1, type: 1, status: 1, atRiskAt: 1, dueBy: 1 }),
];

export const requestsCollection = (connection: Connection): Collection<RequestDocument> =>
  declareCollection(connection, 'requests', INDEXES);

/** Null: the request is unknown. */
export const findRequest = (connection: Connection, ws: string, srid: string): Promise<RequestDocument | null> =>
  requestsCollection(connection).findOne({
    _id: requestKey(ws, srid),
    ws,
  });

/** How many requests the group of a request has. Undefined: it has no group. */
export async function groupSizeOf(
  connection: Connection,
  { ws, groupId }: RequestDocument,
): Promise<number | undefined> {
  if (groupId === null) return undefined;
  // By a range, which the index of slots answers alone; for `$exists` MongoDB reads every document.
  return requestsCollection(connection).countDocuments({ ws, groupId, slot: { $gte: 0 } });
}
