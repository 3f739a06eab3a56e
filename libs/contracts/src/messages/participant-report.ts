import type { JSONSchema } from 'json-schema-to-ts';
import { message, text, time, uuid, type Shape } from './schema';

/** `failed` may be reported again, the others are final (decision 8). */
export const PARTICIPANT_STATUSES = ['completed', 'sent', 'skipped', 'failed'] as const;
export type ParticipantStatus = (typeof PARTICIPANT_STATUSES)[number];

/** Controllers see it; it must not name a person. */
export const statusMessage = { type: 'string', minLength: 1, maxLength: 256 } as const;
export const waivedBy = { type: 'string', minLength: 1, maxLength: 256 } as const;
/** Erased profiles as blind indexes. */
export const erased = { type: 'array', items: text } as const;

/** The most tombstones that a report names; `keys` counts all. */
export const MOST_TOMBSTONES = 1_000;
const count = { type: 'integer', minimum: 0 } as const;
/** What an erasure destroyed; `tombstones`: the ids of the records on `dsr.key-tombstones.v1`. */
export const destroyed = {
  type: 'object',
  properties: {
    profiles: count,
    batches: count,
    archives: count,
    keys: count,
    tombstones: { type: 'array', items: uuid, maxItems: MOST_TOMBSTONES },
  },
  required: ['keys', 'tombstones'],
} as const satisfies JSONSchema;

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
      destroyed,
    },
    ['id', 'ws', 'srid', 'at', 'participant', 'status'],
  ),
} as const;

export type ParticipantReport = Shape<typeof PARTICIPANT_REPORT_SCHEMAS.ParticipantReport>;
export type Destroyed = Shape<typeof destroyed>;
