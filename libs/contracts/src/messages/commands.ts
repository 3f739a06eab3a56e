import type { FromSchema } from 'json-schema-to-ts';
import { admission, message, text, time, uuid, work } from './schema';

/** Commands of the gateway on `dsr.commands.v1`. `seq` numbers the decisions about one request (D1). */
const head = { id: uuid, ws: text, srid: uuid, seq: { type: 'integer', minimum: 1 }, at: time } as const;
const always = ['id', 'ws', 'srid', 'seq', 'at'] as const;

export const COMMAND_SCHEMAS = {
  SubmitRequest: message('SubmitRequest', { ...head, request: admission }, [...always, 'request']),
  CancelRequest: message('CancelRequest', head, always),
  StartRequest: message('StartRequest', { ...head, work }, [...always, 'work']),
  CompleteRequest: message('CompleteRequest', head, always),
} as const;

export type SubmitRequest = FromSchema<typeof COMMAND_SCHEMAS.SubmitRequest>;
export type CancelRequest = FromSchema<typeof COMMAND_SCHEMAS.CancelRequest>;
export type StartRequest = FromSchema<typeof COMMAND_SCHEMAS.StartRequest>;
export type CompleteRequest = FromSchema<typeof COMMAND_SCHEMAS.CompleteRequest>;
export type Command = SubmitRequest | CancelRequest | StartRequest | CompleteRequest;
export type Admission = FromSchema<typeof admission>;
export type Work = FromSchema<typeof work>;
