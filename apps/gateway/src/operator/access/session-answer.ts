import type { Shape } from '@opendsr-service/contracts';
import type { OPERATOR_SESSION } from './access-schemas';
import type { OperatorCaller } from './operator-caller';

export const sessionAnswer = ({ subject, grants, session }: OperatorCaller): Shape<typeof OPERATOR_SESSION> => ({
  subject,
  roles: grants.map(({ role, ws }) => ({ role, workspace: ws ?? null })),
  csrf_token: session?.csrfToken ?? null,
  ends_time: session?.endsAt.toISOString() ?? null,
});
