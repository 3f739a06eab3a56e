import { object, objects, oneOf, textOrNull, time, timeOrNull, word } from '@opendsr-service/edge';
import { AFTER_ERASURE_POLICIES, CLOCK_STARTS, DEVICE_MATCHINGS, REQUEST_TYPES } from '@opendsr-service/contracts';
import { SCOPES } from '@opendsr-service/workspaces';

const days = (law: string) =>
  ({ type: ['integer', 'null'], description: `Its own period for ${law} in days. Null: that of the law.` }) as const;

const FIELDS = {
  workspace: word('Its id.'),
  name: word('Its name for people.'),
  controller_id: word('The id of its controller.'),
  class: word('The kind of customer, as metrics show it.'),
  created_time: time('When it was created.'),
} as const;

export const WORKSPACE = object('A workspace.', FIELDS);

export const WORKSPACE_DETAIL = object('A workspace with what is set for it.', {
  ...FIELDS,
  after_erasure: oneOf(AFTER_ERASURE_POLICIES, 'What becomes of data about erased persons that comes again.'),
  device_matching: oneOf(
    DEVICE_MATCHINGS,
    'Which profiles a device leads to: those without a login of a person, or all of its profiles.',
  ),
  legal: object('How its legal periods are counted.', {
    time_zone: word('A name of the IANA database.'),
    holidays: { type: 'array', items: { type: 'string', format: 'date' }, description: 'Its public holidays.' },
    gdpr_days: days('gdpr'),
    ccpa_days: days('ccpa'),
    clock_start: oneOf(CLOCK_STARTS, 'From when on the law counts.'),
  }),
  limits: objects('The limits of its calls, the same for each workspace.', {
    name: word('What is counted.'),
    limit: { type: ['integer', 'null'], description: 'Null: no limit.' },
  }),
});

const scopes = {
  type: 'array',
  items: { type: 'string', enum: SCOPES },
  description: 'What it gives access to.',
} as const;

export const API_KEY = object('An API key, without its secret.', {
  key: word('The key.'),
  scopes,
  state: oneOf(['active', 'expired', 'revoked'], 'Whether it is in force.'),
  created_time: time('When it was made.'),
  expires_time: timeOrNull('When it ends by itself. Null: never.'),
  revoked_time: timeOrNull('When it was ended.'),
});

export const MADE_API_KEY = object('A new API key with its secret, which nothing shows again.', {
  key: word('The key.'),
  secret: word('Its secret.'),
  scopes,
  created_time: time('When it was made.'),
  expires_time: timeOrNull('When it ends by itself. Null: never.'),
  replaces: textOrNull('The key whose place it takes.'),
  replaced_expires_time: timeOrNull('When that one ends.'),
});

export const PARTICIPANT = object('An outside participant.', {
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
});
