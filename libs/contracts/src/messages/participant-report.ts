import { message, text, time, uuid, type Shape } from './schema';

/** `failed` may be reported again, the others are final (decision 8). */
export const PARTICIPANT_STATUSES = ['completed', 'sent', 'skipped', 'failed'] as const;
export type ParticipantStatus = (typeof PARTICIPANT_STATUSES)[number];

/** Controllers see it; it must not name a person. */
export const statusMessage = { type: 'string', minLength: 1, maxLength: 256 } as const;
export const waivedBy = { type: 'string', minLength: 1, maxLength: 256 } as const;
/** Erased profiles as blind indexes. */
export const erased = { type: 'array', items: text } as const;

export const PARTICIPANT_REPORT_SCHEMAS = {
  ParticipantReport: message(
    'ParticipantReport',
    {
      id: uuid,
      ws: text,
      srid: uuid,
      at: time,
      participant: text,
      status: { type: 'string', enum: PARTICIPANT_STATUSES },
      statusMessage,
      waivedBy,
      erased,
    },
    ['id', 'ws', 'srid', 'at', 'participant', 'status'],
  ),
} as const;

export type ParticipantReport = Shape<typeof PARTICIPANT_REPORT_SCHEMAS.ParticipantReport>;
