import type { Connection } from 'mongoose';
import { requestModel } from '../admission/request-model.store';
import type { RequestDocument } from '../admission/request.document';
import type { AttestationDocument } from '../evidence/attestation.document';

/** A document that has a leaf in the transparency log. */
export interface Evidence {
  /** Names the document for the operator; no personal data. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
}

/** `endedAt`: absent while the request is open. */
export interface ReceiptEvidence extends Evidence {
  readonly dueAt: Date;
  readonly endedAt?: Date;
}

const FIELDS = [
  '_id',
  'receipt',
  'receivedAt',
  'expectedAt',
  'legalDueAt',
  'extendedUntil',
  'completedAt',
  'cancelledAt',
] as const satisfies (keyof RequestDocument)[];

/** The receipts of all admissions, read page by page. */
export async function* receiptsOf(connection: Connection): AsyncGenerator<ReceiptEvidence> {
  const requests = requestModel(connection).collection;
  const projection = Object.fromEntries(FIELDS.map((name) => [name, 1]));
  for await (const found of requests.find({}, { sort: { _id: 1 }, projection })) {
    const request = found as unknown as Pick<RequestDocument, (typeof FIELDS)[number]>;
    const { _id: of, receipt: digest, receivedAt: at, legalDueAt, extendedUntil } = request;
    const endedAt = request.completedAt ?? request.cancelledAt;
    const dueAt = extendedUntil ?? legalDueAt ?? request.expectedAt;
    if (digest !== undefined) yield { of, digest, at, dueAt, ...(endedAt && { endedAt }) };
  }
}

const PAGE = 500;
/** The digest of what is not there. */
const NONE = '';

type Ended = Pick<RequestDocument, '_id' | 'completedAt' | 'cancelledAt'>;

/** All attestations, and for a request that has ended without one what no leaf can match. */
export async function* attestationsOf(connection: Connection): AsyncGenerator<Evidence> {
  const attestations = connection.collection<AttestationDocument>('attestations');
  const unattested = async (page: readonly Ended[]): Promise<Ended[]> => {
    const ids = page.map(({ _id }) => _id);
    const found = await attestations.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(found.map(({ _id }) => _id));
    return page.filter(({ _id }) => !known.has(_id));
  };
  for await (const page of endedRequests(connection))
    for (const { _id: of, completedAt, cancelledAt } of await unattested(page))
      yield { of, digest: NONE, at: (completedAt ?? cancelledAt) as Date };
  const fields = { projection: { digest: 1, at: 1 }, sort: { _id: 1 } } as const;
  for await (const { _id: of, digest, at } of attestations.find({}, fields)) yield { of, digest, at };
}

async function* endedRequests(connection: Connection): AsyncGenerator<readonly Ended[]> {
  const requests = requestModel(connection).collection;
  const fields = { sort: { _id: 1 }, projection: { completedAt: 1, cancelledAt: 1 } } as const;
  let page: Ended[] = [];
  for await (const request of requests.find({ status: { $in: ['completed', 'cancelled'] } }, fields)) {
    page.push(request as unknown as Ended);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
