import { permissionsOf } from '@opendsr-service/operator-access';
import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import type { OPERATOR_SESSION } from './access-schemas';
import type { OperatorCaller } from './operator-caller';

export const sessionAnswer = ({ subject, grants, session }: OperatorCaller): Shape<typeof OPERATOR_SESSION> => ({
  subject,
  roles: grants.map(({ role, ws }) => ({ role, workspace: ws ?? null, allows: [...permissionsOf(role)] })),
  csrf_token: session?.csrfToken ?? null,
  ends_time: timeOf(session?.endsAt),
});
