import { messageId, type Admission, type RequestCommand, type StartRequest } from '@opendsr-service/contracts';
import type { OutboxEntry, RequestDocument } from './request.document';

type Addressed = Pick<RequestDocument, 'ws' | 'srid'>;

/** The id is the same however often the entry is built. */
const entry = (
  to: Addressed,
  { seq, type, at, data = {} }: { seq: number; type: RequestCommand['type']; at: Date; data?: object },
): OutboxEntry => ({
  seq,
  id: messageId(to.ws, to.srid, 'command', seq),
  type,
  at: at.toISOString(),
  data,
});

export const commandOf = (to: Addressed, { data, ...head }: OutboxEntry): RequestCommand =>
  ({ ...head, ws: to.ws, srid: to.srid, ...data }) as RequestCommand;

export type NewRequest = Pick<
  RequestDocument,
  | '_id'
  | 'ws'
  | 'srid'
  | 'sentId'
  | 'controllerId'
  | 'apiVersion'
  | 'type'
  | 'regulation'
  | 'submittedTime'
  | 'receivedAt'
  | 'expectedAt'
  | 'groupId'
  | 'slot'
  | 'kid'
> &
  Required<Pick<RequestDocument, 'startAt' | 'fingerprint' | 'sealed'>>;

/** Carries the whole admission, so that a replay of the log can restore it (decision 3). */
export const submitRequest = (request: NewRequest): OutboxEntry =>
  entry(request, { seq: 1, type: 'SubmitRequest', at: request.receivedAt, data: { request: admissionOf(request) } });

const admissionOf = (request: NewRequest): Admission => ({
  controllerId: request.controllerId,
  apiVersion: request.apiVersion,
  type: request.type,
  ...(request.regulation && { regulation: request.regulation }),
  submittedTime: request.submittedTime.toISOString(),
  receivedAt: request.receivedAt.toISOString(),
  startAt: request.startAt.toISOString(),
  expectedAt: request.expectedAt.toISOString(),
  ...(request.sentId && { sentId: request.sentId }),
  groupId: request.groupId,
  ...(request.slot !== undefined && { slot: request.slot }),
  fingerprint: request.fingerprint,
  kid: request.kid,
  ...request.sealed,
});

export const cancelRequest = (to: Addressed, at: Date): OutboxEntry => entry(to, { seq: 2, type: 'CancelRequest', at });

type Starting = Addressed & Pick<NewRequest, 'type' | 'kid' | 'sealed'> & Pick<StartRequest, 'participants'>;

export const startRequest = ({ type, kid, sealed, participants, ...to }: Starting, at: Date): OutboxEntry =>
  entry(to, {
    seq: 2,
    type: 'StartRequest',
    at,
    data: { work: { type, kid, identities: sealed.identities }, ...(participants && { participants }) },
  });

export const completeRequest = (to: Addressed, at: Date): OutboxEntry =>
  entry(to, { seq: 3, type: 'CompleteRequest', at });
