import type { Type } from '@nestjs/common';
import { OperatorSessionController } from './access/session.controller';
import { SignInController } from './access/sign-in.controller';
import { OperatorDecisionsController } from './decisions/operator-decisions.controller';
import { OperatorAuditController } from './audit/operator-audit.controller';
import { OperatorChangesController } from './changes/operator-changes.controller';
import { OperatorHistoryController } from './history/operator-history.controller';
import { OperatorRevealsController } from './reveals/operator-reveals.controller';
import { OperatorRequestsController } from './requests/operator-requests.controller';

/** The controllers of the operator's API. */
export const operatorControllers: readonly Type[] = [
  SignInController,
  OperatorSessionController,
  OperatorRequestsController,
  OperatorDecisionsController,
  OperatorRevealsController,
  OperatorHistoryController,
  OperatorChangesController,
  OperatorAuditController,
];
