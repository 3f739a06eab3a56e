import { message, text, time, uuid, type Shape } from './schema';

/** `completed`, `sent` and `skipped` are final; `failed` may be reported again (decision 8). */
export const PARTICIPANT_STATUSES = ['completed', 'sent', 'skipped', 'failed'] as const;
export type ParticipantStatus = (typeof PARTICIPANT_STATUSES)[number];

/** A message for people, shown to the controller. The author must not name a person. */
export const statusMessage = { type: 'string', minLength: 1, maxLength: 256 } as const;
/** Who waived a participant's share, as the operator gave it. */
export const waivedBy = { type: 'string', minLength: 1, maxLength: 256 } as const;
/** Profiles that ingestion erased, as blind indexes (`erasedIndex` of the vault). */
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
