import { message, text, time, uuid, type Shape } from './schema';

/** `completed`, `sent` and `skipped` are final; `failed` may be reported again (D8). */
export const PARTICIPANT_STATUSES = ['completed', 'sent', 'skipped', 'failed'] as const;
export type ParticipantStatus = (typeof PARTICIPANT_STATUSES)[number];

/** What a participant says on `dsr.participant-reports.v1` about its share of a request. */
export const PARTICIPANT_REPORT_SCHEMAS = {
  ParticipantReport: message(
    'ParticipantReport',
    { id: uuid, ws: text, srid: uuid, at: time, participant: text, status: { type: 'string', enum: PARTICIPANT_STATUSES } },
    ['id', 'ws', 'srid', 'at', 'participant', 'status'],
  ),
} as const;

export type ParticipantReport = Shape<typeof PARTICIPANT_REPORT_SCHEMAS.ParticipantReport>;
