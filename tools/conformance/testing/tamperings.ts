import { randomUUID } from 'node:crypto';
import { errorReply, type Exchange, type Fields, type Reply } from './fake-http';

type Kind = 'discovery' | 'certificate' | 'results' | 'receipt' | 'cancelled' | 'record' | 'list' | 'error';
type Tamper = (reply: Reply, exchange: Exchange) => Reply;

const OF_GET: Readonly<Record<string, Kind>> = {
  discovery: 'discovery',
  certificate: 'certificate',
  results: 'results',
};

function kindOf({ status, body }: Reply, { method, path }: Exchange): Kind {
  if (status >= 400) return 'error';
  if (method !== 'GET') return method === 'POST' ? 'receipt' : 'cancelled';
  return OF_GET[path.split('/')[1] ?? ''] ?? (Array.isArray(body) ? 'list' : 'record');
}

const answersOf =
  (kinds: readonly Kind[], change: Tamper): Tamper =>
  (reply, exchange) =>
    kinds.includes(kindOf(reply, exchange)) ? change(reply, exchange) : reply;
/** These answers with one change. */
const as = (kinds: readonly Kind[], more: Partial<Reply>): Tamper =>
  answersOf(kinds, (reply) => ({ ...reply, ...more }));
/** The fields of such answers, and of each element of a list. */
const withFields = (kinds: readonly Kind[], change: (fields: Fields) => Fields): Tamper =>
  answersOf(kinds, (reply) => ({
    ...reply,
    body: Array.isArray(reply.body) ? (reply.body as Fields[]).map(change) : change(reply.body as Fields),
  }));

const hasCredentials = ({ http }: Exchange): boolean => http.headers.authorization !== undefined;
const RECORDS = ['record', 'list'] as const;
const TEXT = { headers: { 'content-type': 'text/plain' } } as const;

/** Faults of otherwise valid answers. The changed answer is signed again. */
const TAMPERINGS = {
  'create answers 200': as(['receipt'], { status: 200 }),
  'cancel answers 200': as(['cancelled'], { status: 200 }),
  'GET answers 203': as([...RECORDS, 'discovery'], { status: 203 }),
  'no Content-Type on receipts': as(['receipt'], TEXT),
  'answers are text': as(['discovery', 'receipt', 'cancelled', 'record', 'list', 'error'], TEXT),
  'discovery without a type': withFields(['discovery'], ({ supported_identities: list, ...fields }) => ({
    ...fields,
    supported_identities: (list as unknown[]).slice(1),
  })),
  'discovery lists nothing': withFields(['discovery'], (fields) => ({ ...fields, supported_identities: null })),
  'discovery lists hashed identities': withFields(['discovery'], ({ supported_identities: list, ...fields }) => ({
    ...fields,
    supported_identities: (list as Fields[]).map((one) => ({ ...one, identity_format: 'sha256' })),
  })),
  'discovery without erasure': withFields(['discovery'], (fields) => ({
    ...fields,
    supported_subject_request_types: ['access', 'portability'],
  })),
  'discovery names the other version': withFields(['discovery'], (fields) => ({
    ...fields,
    api_version: 'of another',
  })),
  'discovery minds wrong credentials': answersOf(['discovery'], (reply, exchange) =>
    exchange.http.headers.authorization === `Basic ${btoa('nobody:wrong')}` ? errorReply(401) : reply,
  ),
  'the certificate minds credentials': answersOf(['certificate'], (reply, exchange) =>
    hasCredentials(exchange) ? errorReply(401) : reply,
  ),
  'the certificate is none': as(['certificate'], { body: Buffer.from('none') }),
  'receipts without received_time': withFields(['receipt', 'cancelled'], (fields) => ({
    ...fields,
    received_time: undefined,
  })),
  'own id in receipts': withFields(['receipt', 'cancelled'], (fields) => ({
    ...fields,
    subject_request_id: randomUUID(),
  })),
  'encoded_request is of another': withFields(['receipt'], (fields) => ({ ...fields, encoded_request: 'e30=' })),
  'cancel receipt has a time': withFields(['cancelled'], (fields) => ({
    ...fields,
    expected_completion_time: fields.received_time,
  })),
  'records say the other version': withFields(RECORDS, (fields) => ({ ...fields, api_version: 'of another' })),
  'requests begin as in_progress': withFields(RECORDS, (fields) => ({
    ...fields,
    request_status: fields.request_status === 'pending' ? 'in_progress' : fields.request_status,
  })),
  'records name another id': withFields(RECORDS, (fields) => ({ ...fields, subject_request_id: randomUUID() })),
  'status says group_id nothing': withFields(RECORDS, (fields) => ({ ...fields, group_id: undefined })),
  'unknown groups are 404': answersOf(['list'], (reply) =>
    (reply.body as unknown[]).length === 0 ? errorReply(404) : reply,
  ),
  'results are forbidden': answersOf(['results'], () => errorReply(403)),
  'any results link answers': answersOf(['error'], (reply, { path }) =>
    path.startsWith('/results/') && reply.status === 404 ? { status: 200, body: Buffer.from('PK') } : reply,
  ),
  'old results are 404': answersOf(['error'], (reply) => (reply.status === 410 ? errorReply(404) : reply)),
  'unknown methods are 404': answersOf(['error'], (reply) => (reply.status === 405 ? errorReply(404) : reply)),
  'no Allow': answersOf(['error'], (reply) => (reply.status === 405 ? { ...reply, headers: {} } : reply)),
  'error without errors': withFields(['error'], (fields) => ({ ...fields, errors: undefined })),
  'error code is text': withFields(['error'], (fields) => ({ ...fields, code: String(fields.code) })),
} as const satisfies Readonly<Record<string, Tamper>>;
export type Tampering = keyof typeof TAMPERINGS;

export const tampered = (broken: string | undefined, reply: Reply, exchange: Exchange): Reply =>
  broken !== undefined && Object.hasOwn(TAMPERINGS, broken) ? TAMPERINGS[broken as Tampering](reply, exchange) : reply;
