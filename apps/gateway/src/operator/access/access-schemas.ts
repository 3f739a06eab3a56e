import { object, objects, oneOf, textOrNull, timeOrNull, word } from '@opendsr-service/edge';
import { OPERATOR_ROLES } from '@opendsr-service/config';
import { PERMISSIONS } from '@opendsr-service/operator-access';

export const OPERATOR_SESSION = object('Who calls, and what for.', {
  subject: word('The subject of the token, as the audit trail names it.'),
  roles: objects('The roles, each in one workspace or in all.', {
    role: oneOf(OPERATOR_ROLES, 'What the caller may do.'),
    workspace: textOrNull('Null: in all workspaces.'),
    allows: {
      type: 'array',
      items: { type: 'string', enum: PERMISSIONS },
      description: 'What `x-needs` of an operation may be for this role.',
    },
  }),
  csrf_token: textOrNull(
    'What changes by this session need in `X-CSRF-Token`. Null with a bearer token, which needs none.',
  ),
  ends_time: timeOrNull('When the session ends at the latest. Null with a bearer token.'),
});
