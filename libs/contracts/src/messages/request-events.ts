import { destroyed, erased, PARTICIPANT_STATUSES, statusMessage, waivedBy } from './participant-report';
import {
  admission,
  deadlineExtension,
  deadlineExtensionFields,
  digest,
  extensions,
  message,
  text,
  time,
  uuid,
  work,
  type Shape,
} from './schema';

/** `version` numbers the events of a request without a gap (decisions 2 and 3). */
const head = {
  id: uuid,
  ws: text,
  srid: uuid,
  version: { type: 'integer', minimum: 1 },
  commandSeq: { type: 'integer', minimum: 1 },
  at: time,
} as const;
/** `previous`: SHA-256 of the bytes of the request's event before it, so that the last event binds them all (decision 27). */
const chained = { ...head, previous: digest } as const;
const always = ['id', 'ws', 'srid', 'version', 'commandSeq', 'at'] as const;

/** Fields of every event, those of later versions too: an unknown event counts, or a fold would miss its version for ever. */
export const REQUEST_EVENT_HEAD = {
  type: 'object',
  properties: { type: text, ...head },
  required: ['type', ...always],
} as const;

export const REQUEST_EVENT_SCHEMAS = {
  RequestReceived: message('RequestReceived', { ...head, request: admission }, [...always, 'request']),
  RequestCancelled: message('RequestCancelled', chained, always),
  RequestStarted: message(
    'RequestStarted',
    { ...chained, participants: { type: 'array', items: text }, work, extensions },
    [...always, 'participants', 'work'],
  ),
  ParticipantReported: message(
    'ParticipantReported',
    {
      ...chained,
      participant: text,
      status: { type: 'string', enum: PARTICIPANT_STATUSES },
      statusMessage,
      waivedBy,
      erased,
      destroyed,
      extensions,
    },
    [...always, 'participant', 'status'],
  ),
  DeadlineExtended: message('DeadlineExtended', { ...chained, ...deadlineExtension }, [
    ...always,
    ...deadlineExtensionFields,
  ]),
  RequestFulfilled: message('RequestFulfilled', chained, always),
  RequestCompleted: message('RequestCompleted', { ...chained, extensions }, always),
} as const;

export type RequestReceived = Shape<typeof REQUEST_EVENT_SCHEMAS.RequestReceived>;
export type RequestCancelled = Shape<typeof REQUEST_EVENT_SCHEMAS.RequestCancelled>;
export type RequestStarted = Shape<typeof REQUEST_EVENT_SCHEMAS.RequestStarted>;
export type ParticipantReported = Shape<typeof REQUEST_EVENT_SCHEMAS.ParticipantReported>;
/** Until when the request may be answered now; the status stays (decision 24). */
export type DeadlineExtended = Shape<typeof REQUEST_EVENT_SCHEMAS.DeadlineExtended>;
export type RequestFulfilled = Shape<typeof REQUEST_EVENT_SCHEMAS.RequestFulfilled>;
export type RequestCompleted = Shape<typeof REQUEST_EVENT_SCHEMAS.RequestCompleted>;
export type RequestEvent =
  | RequestReceived
  | RequestCancelled
  | RequestStarted
  | ParticipantReported
  | DeadlineExtended
  | RequestFulfilled
  | RequestCompleted;
