import { OPERATOR_ROLES } from '@opendsr-service/config';

export const OPERATOR_SESSION = {
  type: 'object',
  description: 'Who calls, and what for.',
  additionalProperties: false,
  required: ['subject', 'roles', 'csrf_token', 'ends_time'],
  properties: {
    subject: { type: 'string', description: 'The subject of the token, as the audit trail names it.' },
    roles: {
      type: 'array',
      description: 'The roles, each in one workspace or in all.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['role', 'workspace'],
        properties: {
          role: { type: 'string', enum: OPERATOR_ROLES, description: 'What the caller may do.' },
          workspace: { type: ['string', 'null'], description: 'Null: in all workspaces.' },
        },
      },
    },
    csrf_token: {
      type: ['string', 'null'],
      description: 'What changes by this session need in `X-CSRF-Token`. Null with a bearer token, which needs none.',
    },
    ends_time: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the session ends at the latest. Null with a bearer token.',
    },
  },
} as const;
