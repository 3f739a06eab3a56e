import type { Type } from '@nestjs/common';
import { OperatorSessionController } from './access/session.controller';
import { SignInController } from './access/sign-in.controller';
import { OperatorDecisionsController } from './decisions/operator-decisions.controller';
import { OperatorAuditController } from './audit/operator-audit.controller';
import { OperatorChangesController } from './changes/operator-changes.controller';
import { OperatorDestinationsController } from './destinations/operator-destinations.controller';
import { OperatorHistoryController } from './history/operator-history.controller';
import { OperatorOverviewController } from './overview/operator-overview.controller';
import { OperatorParkedController } from './parked/operator-parked.controller';
import { OperatorRevealsController } from './reveals/operator-reveals.controller';
import { OperatorRecordsController } from './records/operator-records.controller';
import { OperatorRequestsController } from './requests/operator-requests.controller';
import { OperatorSystemController } from './system/operator-system.controller';
import { OperatorKeysController } from './workspaces/operator-keys.controller';
import { OperatorWorkspacesController } from './workspaces/operator-workspaces.controller';

/** The controllers of the operator's API. */
export const operatorControllers: readonly Type[] = [
  SignInController,
  OperatorSessionController,
  OperatorOverviewController,
  OperatorRequestsController,
  OperatorDecisionsController,
  OperatorRevealsController,
  OperatorHistoryController,
  OperatorRecordsController,
  OperatorChangesController,
  OperatorAuditController,
  OperatorDestinationsController,
  OperatorParkedController,
  OperatorSystemController,
  OperatorWorkspacesController,
  OperatorKeysController,
];
