import { admission, message, text, time, uuid, work, type Shape } from './schema';

/** Commands of the gateway on `dsr.commands.v1`. `seq` numbers the decisions about one request (D1). */
const head = { id: uuid, ws: text, srid: uuid, seq: { type: 'integer', minimum: 1 }, at: time } as const;
const always = ['id', 'ws', 'srid', 'seq', 'at'] as const;

export const COMMAND_SCHEMAS = {
  SubmitRequest: message('SubmitRequest', { ...head, request: admission }, [...always, 'request']),
  CancelRequest: message('CancelRequest', head, always),
  StartRequest: message('StartRequest', { ...head, work }, [...always, 'work']),
  CompleteRequest: message('CompleteRequest', head, always),
} as const;

export type SubmitRequest = Shape<typeof COMMAND_SCHEMAS.SubmitRequest>;
export type CancelRequest = Shape<typeof COMMAND_SCHEMAS.CancelRequest>;
export type StartRequest = Shape<typeof COMMAND_SCHEMAS.StartRequest>;
export type CompleteRequest = Shape<typeof COMMAND_SCHEMAS.CompleteRequest>;
export type Command = SubmitRequest | CancelRequest | StartRequest | CompleteRequest;
export type Admission = Shape<typeof admission>;
export type Work = Shape<typeof work>;
