import { ENDED_STATUSES, isStatementFault, requestKey, type AttestationStatement } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../admission/requests-collection.store';
import type { RequestDocument } from '../admission/request.document';
import { digestOfEnvelope, readStatement, type AttestationDocument } from './attestation.document';
import { pagesOf } from './pages-of';

/** A document that has a leaf in the transparency log. */
export interface Evidence {
  /** Names the document for the operator; no personal data. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
}

export interface ReceiptEvidence extends Evidence {
  /** The date of the leaf: the legal date as it was at the admission. */
  readonly leafDueAt: Date;
  /** `at`: when it was decided; its event follows. */
  readonly extension?: { readonly until: Date; readonly at: Date | undefined };
  readonly request: { readonly dueAt: Date } & Partial<RequestEnd>;
}

/** Absent while a request is open. */
export interface RequestEnd {
  readonly endedAt: Date;
  readonly outcome: 'completed' | 'cancelled';
}

export interface AttestationEvidence extends Evidence {
  /** The key of its request. */
  readonly request: string;
  /** The digest of the last event, and the end, as the statement says; absent where there is no statement to read. */
  readonly said?: { readonly events: string } & RequestEnd;
}

const FIELDS = [
  '_id',
  'receipt',
  'receivedAt',
  'expectedAt',
  'legalDueAt',
  'extendedUntil',
  'extendedAt',
  'completedAt',
  'cancelledAt',
] as const satisfies (keyof RequestDocument)[];

/** The receipts of all admissions, read page by page. */
export async function* receiptsOf(connection: Connection): AsyncGenerator<ReceiptEvidence> {
  const requests = requestsCollection(connection);
  const projection = Object.fromEntries(FIELDS.map((name) => [name, 1]));
  for await (const found of requests.find({}, { sort: { _id: 1 }, projection })) {
    const request = found as unknown as Pick<RequestDocument, (typeof FIELDS)[number]>;
    const { _id: of, receipt: digest, receivedAt: at, extendedUntil, extendedAt } = request;
    if (digest === undefined) continue;
    const leafDueAt = request.legalDueAt ?? request.expectedAt;
    const extension = extendedUntil && { extension: { until: extendedUntil, at: extendedAt } };
    const life = { dueAt: extendedUntil ?? leafDueAt, ...endOf(request) };
    yield { of, digest, at, leafDueAt, request: life, ...extension };
  }
}

function endOf({
  completedAt,
  cancelledAt,
}: Pick<RequestDocument, 'completedAt' | 'cancelledAt'>): Partial<RequestEnd> {
  if (completedAt) return { endedAt: completedAt, outcome: 'completed' };
  return cancelledAt ? { endedAt: cancelledAt, outcome: 'cancelled' } : {};
}

const PAGE = 500;
/** The digest of what is not there. */
const NONE = '';

type Ended = Pick<RequestDocument, '_id' | 'completedAt' | 'cancelledAt'>;

/** All attestations, and for a request that has ended without one what no leaf can match. */
export async function* attestationsOf(connection: Connection): AsyncGenerator<AttestationEvidence> {
  const attestations = connection.collection<AttestationDocument>('attestations');
  const unattested = async (page: readonly Ended[]): Promise<Ended[]> => {
    const ids = page.map(({ _id }) => _id);
    const found = await attestations.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(found.map(({ _id }) => _id));
    return page.filter(({ _id }) => !known.has(_id));
  };
  for await (const page of endedRequests(connection))
    for (const { _id: of, completedAt, cancelledAt } of await unattested(page))
      yield { of, digest: NONE, at: (completedAt ?? cancelledAt) as Date, request: of };
  const fields = { projection: { ws: 1, srid: 1, envelope: 1, at: 1 }, sort: { _id: 1 } } as const;
  for await (const { _id: of, ws, srid, envelope, at } of attestations.find({}, fields)) {
    const said = readStatement(envelope);
    // Of the bytes that are served, whatever the document says their digest is.
    const digest = digestOfEnvelope(envelope);
    yield { of, digest, at, request: requestKey(ws, srid), ...(!isStatementFault(said) && { said: saidBy(said) }) };
  }
}

function saidBy({ attestation: { endedAt, outcome }, subjects: { events } }: AttestationStatement) {
  return { events, endedAt: new Date(endedAt), outcome };
}

function endedRequests(connection: Connection): AsyncGenerator<readonly Ended[]> {
  const requests = requestsCollection(connection);
  const fields = { sort: { _id: 1 }, projection: { completedAt: 1, cancelledAt: 1 } } as const;
  return pagesOf(requests.find<Ended>({ status: { $in: [...ENDED_STATUSES] } }, fields), PAGE);
}
