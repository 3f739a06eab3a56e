import { textOrNull, time, timeOrNull, word } from '@opendsr-service/operator-answers';
import { AFTER_ERASURE_POLICIES, CLOCK_STARTS, DEVICE_MATCHINGS, REQUEST_TYPES } from '@opendsr-service/contracts';
import { SCOPES } from '@opendsr-service/workspaces';

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  ({ type: 'string', enum: values, description }) as const;
const days = (law: string) =>
  ({ type: ['integer', 'null'], description: `Its own period for ${law} in days. Null: that of the law.` }) as const;

const FIELDS = {
  workspace: word('Its id.'),
  name: word('Its name for people.'),
  controller_id: word('The id of its controller.'),
  class: word('The kind of customer, as metrics show it.'),
  created_time: time('When it was created.'),
} as const;
const NAMES = Object.keys(FIELDS) as readonly (keyof typeof FIELDS)[];

export const WORKSPACE = {
  type: 'object',
  description: 'A workspace.',
  additionalProperties: false,
  required: NAMES,
  properties: FIELDS,
} as const;

export const WORKSPACE_DETAIL = {
  type: 'object',
  description: 'A workspace with what is set for it.',
  additionalProperties: false,
  required: [...NAMES, 'after_erasure', 'device_matching', 'legal', 'limits'],
  properties: {
    ...FIELDS,
    after_erasure: oneOf(AFTER_ERASURE_POLICIES, 'What becomes of data about erased persons that comes again.'),
    device_matching: oneOf(
      DEVICE_MATCHINGS,
      'Which profiles a device leads to: those without a login of a person, or all of its profiles.',
    ),
    legal: {
      type: 'object',
      description: 'How its legal periods are counted.',
      additionalProperties: false,
      required: ['time_zone', 'holidays', 'gdpr_days', 'ccpa_days', 'clock_start'],
      properties: {
        time_zone: word('A name of the IANA database.'),
        holidays: { type: 'array', items: { type: 'string', format: 'date' }, description: 'Its public holidays.' },
        gdpr_days: days('gdpr'),
        ccpa_days: days('ccpa'),
        clock_start: { type: 'string', enum: CLOCK_STARTS, description: 'From when on the law counts.' },
      },
    },
    limits: {
      type: 'array',
      description: 'The limits of its calls, the same for each workspace.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'limit'],
        properties: {
          name: word('What is counted.'),
          limit: { type: ['integer', 'null'], description: 'Null: no limit.' },
        },
      },
    },
  },
} as const;

const scopes = {
  type: 'array',
  items: { type: 'string', enum: SCOPES },
  description: 'What it gives access to.',
} as const;

export const API_KEY = {
  type: 'object',
  description: 'An API key, without its secret.',
  additionalProperties: false,
  required: ['key', 'scopes', 'state', 'created_time', 'expires_time', 'revoked_time'],
  properties: {
    key: word('The key.'),
    scopes,
    state: { type: 'string', enum: ['active', 'expired', 'revoked'], description: 'Whether it is in force.' },
    created_time: time('When it was made.'),
    expires_time: timeOrNull('When it ends by itself. Null: never.'),
    revoked_time: timeOrNull('When it was ended.'),
  },
} as const;

export const MADE_API_KEY = {
  type: 'object',
  description: 'A new API key with its secret, which nothing shows again.',
  additionalProperties: false,
  required: ['key', 'secret', 'scopes', 'created_time', 'expires_time', 'replaces', 'replaced_expires_time'],
  properties: {
    key: word('The key.'),
    secret: word('Its secret.'),
    scopes,
    created_time: time('When it was made.'),
    expires_time: timeOrNull('When it ends by itself. Null: never.'),
    replaces: textOrNull('The key whose place it takes.'),
    replaced_expires_time: timeOrNull('When that one ends.'),
  },
} as const;

export const PARTICIPANT = {
  type: 'object',
  description: 'An outside participant.',
  additionalProperties: false,
  required: ['workspace', 'name', 'domain', 'types', 'identity_types', 'created_time'],
  properties: {
    workspace: word('Its workspace.'),
    name: word('Its name.'),
    domain: word('Its domain, as controllers see it.'),
    types: {
      type: 'array',
      items: { type: 'string', enum: REQUEST_TYPES },
      description: 'The requests that it takes part in.',
    },
    identity_types: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The types of identities that it may read. Null: all.',
    },
    created_time: time('When it was registered.'),
  },
} as const;
