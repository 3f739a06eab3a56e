import {
  admission,
  deadlineExtension,
  deadlineExtensionFields,
  message,
  participants,
  text,
  time,
  uuid,
  work,
  type Shape,
} from './schema';

/** `seq` numbers the decisions about a request (decision 1), without replays. */
const head = { id: uuid, ws: text, srid: uuid, seq: { type: 'integer', minimum: 1 }, at: time } as const;
const always = ['id', 'ws', 'srid', 'seq', 'at'] as const;

export const COMMAND_SCHEMAS = {
  SubmitRequest: message('SubmitRequest', { ...head, request: admission }, [...always, 'request']),
  CancelRequest: message('CancelRequest', head, always),
  StartRequest: message('StartRequest', { ...head, work, participants }, [...always, 'work']),
  CompleteRequest: message('CompleteRequest', head, always),
  ExtendDeadline: message('ExtendDeadline', { ...head, ...deadlineExtension }, [...always, ...deadlineExtensionFields]),
  ReplayCallback: message(
    'ReplayCallback',
    {
      id: uuid,
      ws: text,
      srid: uuid,
      at: time,
      destination: text,
      delivery: uuid,
      version: { type: 'integer', minimum: 1 },
    },
    ['id', 'ws', 'srid', 'at', 'destination', 'delivery', 'version'],
  ),
} as const;

export type SubmitRequest = Shape<typeof COMMAND_SCHEMAS.SubmitRequest>;
export type CancelRequest = Shape<typeof COMMAND_SCHEMAS.CancelRequest>;
/** `participants`: those at the start, as controllers see them. */
export type StartRequest = Shape<typeof COMMAND_SCHEMAS.StartRequest>;
export type CompleteRequest = Shape<typeof COMMAND_SCHEMAS.CompleteRequest>;
/** Extends the legal date of a request (decision 24). */
export type ExtendDeadline = Shape<typeof COMMAND_SCHEMAS.ExtendDeadline>;
/** Sends one callback again (decision 7). */
export type ReplayCallback = Shape<typeof COMMAND_SCHEMAS.ReplayCallback>;
export type RequestCommand = SubmitRequest | CancelRequest | StartRequest | CompleteRequest | ExtendDeadline;
export type Command = RequestCommand | ReplayCallback;
export type Admission = Shape<typeof admission>;
export type Work = Shape<typeof work>;
