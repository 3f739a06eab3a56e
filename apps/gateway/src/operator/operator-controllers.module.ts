import type { Type } from '@nestjs/common';
import { OperatorSessionController } from './access/session.controller';
import { SignInController } from './access/sign-in.controller';
import { OperatorDecisionsController } from './decisions/operator-decisions.controller';
import { OperatorRequestsController } from './requests/operator-requests.controller';

/** The controllers of the operator's API. */
export const operatorControllers: readonly Type[] = [
  SignInController,
  OperatorSessionController,
  OperatorRequestsController,
  OperatorDecisionsController,
];
