import { createHash } from 'node:crypto';
import { beforeBody, expectRoom, limitBySource, limitFailures, type EdgeAdapter } from '@opendsr-service/edge';
import type { SourceCallBudget, WorkspaceBudget } from '@opendsr-service/workspaces';
import { isWithin } from '../../versions/routes';
import { IDENTITIES_ROUTE, isOperatorPath, SIGN_IN_PATH } from '../../versions/operator-paths';
import { authenticateOperator, type Proofs } from './authenticate-operator';
import { operatorOf } from './operator-caller';

interface OperatorLimits {
  /** Of one operator. */
  readonly calls: WorkspaceBudget;
  /** How often one operator asks for identities. */
  readonly reveals: WorkspaceBudget;
  /** Calls without credentials. */
  readonly sources: SourceCallBudget;
  readonly authFailures: SourceCallBudget;
}

const isSignIn = isWithin([SIGN_IN_PATH]);

/** The budget of an operator has no name of a person. */
const budgetOf = (subject: string): string => createHash('sha256').update(`operator|${subject}`).digest('base64url');

/** Checks credentials, then limits, before the body. Call it before the routes are registered. */
export function guardOperator(
  adapter: EdgeAdapter,
  { limits, ...proofs }: Proofs & { readonly limits: OperatorLimits },
): void {
  beforeBody(
    adapter,
    (path) => isOperatorPath(path) && !isSignIn(path),
    async (http) => {
      await limitFailures(http, limits.authFailures, () => authenticateOperator(http, proofs));
      expectRoom((await limits.calls.takeToken(budgetOf(operatorOf(http).subject))).waitMs);
    },
  );
  beforeBody(
    adapter,
    (path) => path === IDENTITIES_ROUTE,
    async (http) => expectRoom((await limits.reveals.takeToken(budgetOf(operatorOf(http).subject))).waitMs),
  );
  limitBySource(adapter, isSignIn, limits.sources);
}
