import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { API_VERSIONS, REGULATIONS, REQUEST_TYPES } from '../vocabulary';

export const text = { type: 'string', minLength: 1 } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const sealed = { type: 'string', minLength: 38, pattern: '^[A-Za-z0-9+/=_-]+$' } as const;
export const requestType = { type: 'string', enum: REQUEST_TYPES } as const;

const callback = {
  type: 'object',
  properties: { destination: text, url: sealed, host: text },
  required: ['destination', 'url'],
} as const satisfies JSONSchema;

/** A SHA-256 in base64url. */
export const digest = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;

/**
 * An admission (decision 3). `receipt`: digest of the bytes of its receipt and of their signature. `sentId`: spelling of the controller if it is not `srid`;
 * `groupId`: keyed hash of the sealed `group`; `legalSince` and `legalDueAt`: from when and until when the law gives time (decision 24).
 */
export const admission = {
  type: 'object',
  properties: {
    controllerId: text,
    apiVersion: { type: 'string', enum: API_VERSIONS },
    type: requestType,
    regulation: { type: 'string', enum: REGULATIONS },
    submittedTime: time,
    receivedAt: time,
    startAt: time,
    expectedAt: time,
    legalSince: time,
    legalDueAt: time,
    workspaceClass: text,
    sentId: uuid,
    groupId: { type: ['string', 'null'] },
    group: sealed,
    slot: { type: 'integer', minimum: 0, maximum: 149 },
    fingerprint: text,
    kid: text,
    identities: sealed,
    callbacks: { type: 'array', items: callback },
    receipt: digest,
  },
  required: [
    'controllerId',
    'apiVersion',
    'type',
    'submittedTime',
    'receivedAt',
    'startAt',
    'expectedAt',
    'groupId',
    'fingerprint',
    'kid',
    'identities',
    'callbacks',
  ],
} as const satisfies JSONSchema;

/** An extension of the legal date (decision 24). `extendedBy`: a role of the operator; `reason`: sealed under the request's key. */
export const deadlineExtension = { extendedUntil: time, extendedBy: text, reason: sealed } as const;
export const deadlineExtensionFields = ['extendedUntil', 'extendedBy', 'reason'] as const;

export const work = {
  type: 'object',
  properties: { type: requestType, kid: text, identities: sealed },
  required: ['type', 'kid', 'identities'],
} as const satisfies JSONSchema;

export const participants = {
  type: 'array',
  items: { type: 'object', properties: { name: text, domain: text }, required: ['name'] },
} as const satisfies JSONSchema;

/** Statuses that controllers see (protocol, "extensions in status and callback"). */
export const EXTENSION_STATUSES = ['pending', 'skipped', 'sent', 'failed'] as const;

/** The shares of outside participants, on events that change what controllers see. */
export const extensions = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      domain: text,
      name: text,
      status: { type: 'string', enum: EXTENSION_STATUSES },
      statusMessage: { type: ['string', 'null'] },
    },
    required: ['domain', 'name', 'status', 'statusMessage'],
  },
} as const satisfies JSONSchema;

export const message = <
  const T extends string,
  const P extends Record<string, JSONSchema>,
  const R extends readonly string[],
>(
  type: T,
  properties: P,
  required: R,
) =>
  ({ type: 'object', properties: { type: { const: type }, ...properties }, required: ['type', ...required] }) as const;

/** Fields that the schema names: code never reads those of a later version. */
type Known<T> = T extends readonly (infer Item)[]
  ? readonly Known<Item>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: Known<T[K]> }
    : T;

export type Shape<S extends JSONSchema> = Known<FromSchema<S>>;

export type StartingParticipants = Shape<typeof participants>;

export type ParticipantExtension = Shape<typeof extensions>[number];
