import { PROBLEM_BODY, type ApiDescription } from '@opendsr-service/edge';
import { accessBodies, accessOperations } from './access/access.api';
import { OPERATOR_SESSION } from './access/access-schemas';
import { decisionBodies, operatorDecisionOperations } from './decisions/decisions.api';
import { SESSION_COOKIE } from './access/cookies';
import { OPERATOR_AUDIT, operatorAuditOperations } from './audit/audit.api';
import { CHANGED_REQUESTS, operatorChangesOperations } from './changes/changes.api';
import { ATTESTATION_BUNDLE } from '../http/attestations/attestation-schemas';
import { operatorHistoryOperations } from './history/history.api';
import {
  OPERATOR_HISTORY,
  OPERATOR_HISTORY_ENTRY,
  OPERATOR_LOG_ENTRIES,
  OPERATOR_REQUEST_STATES,
} from './history/history-schemas';
import { destinationSchemas, operatorDestinationOperations } from './destinations/destinations.api';
import { operatorControllers } from './operator-controllers.wiring';
import { operatorOverviewOperations } from './overview/overview.api';
import { OPERATOR_OVERVIEW } from './overview/overview-schemas';
import { operatorParkedOperations, parkedBodies, parkedSchemas } from './parked/parked.api';
import { OPERATOR_RECORDS } from './records/record-schemas';
import { operatorRecordOperations } from './records/records.api';
import {
  OPERATOR_CALLBACK,
  OPERATOR_CALLBACK_LIST,
  OPERATOR_REQUEST,
  OPERATOR_REQUEST_COUNTS,
  OPERATOR_REQUEST_LIST,
  OPERATOR_REQUEST_STORY,
} from './requests/request-schemas';
import { operatorRequestOperations } from './requests/requests.api';
import { OPERATOR_REVEAL, OPERATOR_REVEAL_LIST, REVEALED_IDENTITIES } from './reveals/reveal-schemas';
import { operatorRevealOperations } from './reveals/reveals.api';
import { operatorSystemOperations, systemSchemas } from './system/system.api';
import { operatorWorkspaceOperations, workspaceBodies, workspaceSchemas } from './workspaces/workspaces.api';

/** The operator's API. `x-needs` of an operation is what the roles of the caller must allow. */
export const operatorApi: ApiDescription = {
  name: 'operator',
  info: {
    title: 'The operator’s API',
    version: '1',
    summary: 'Requests of all workspaces, for those who run the service and for privacy officers.',
    description: [
      'Who may: docs/operators-api.md. `x-needs` of an operation says what a role must allow: `read`, `repair`, ' +
        '`decide`, `reveal`, `audit` or `administer`; `session` is anyone whom the identity provider knows, `nothing` is anybody.',
      'Times are RFC 3339 in UTC. Errors are problem details (RFC 9457). No answer but `revealIdentities` has ' +
        'personal data; reasons, which operators write, are shown to those alone who may decide.',
    ].join('\n\n'),
  },
  tags: [
    { name: 'Sessions', description: 'Who calls, and how browsers sign in and out.' },
    { name: 'Requests', description: 'Requests of the workspaces that the roles of the caller reach.' },
    { name: 'Identities', description: 'Whom a request is about, for a reason, on the record.' },
    { name: 'Evidence', description: 'What proves what happened, to anybody.' },
    { name: 'Callbacks', description: 'What became of the callbacks of a request.' },
    { name: 'Destinations', description: 'The hosts that receive callbacks.' },
    { name: 'Parked records', description: 'What a service could not handle.' },
    { name: 'Workspaces', description: 'The workspaces of controllers.' },
    { name: 'API keys', description: 'What gives controllers access.' },
    { name: 'Participants', description: 'Systems of other teams that take part in requests.' },
    { name: 'System', description: 'How the services are.' },
  ],
  errorStyle: 'problem',
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the identity provider, for machines.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: SESSION_COOKIE,
      description: 'The session of a browser. Its changes need the header `X-CSRF-Token` as well.',
    },
  },
  security: [{ bearer: [] }, { session: [] }],
  controllers: operatorControllers,
  operations: {
    ...accessOperations,
    ...operatorOverviewOperations,
    ...operatorRequestOperations,
    ...operatorDecisionOperations,
    ...operatorRevealOperations,
    ...operatorHistoryOperations,
    ...operatorRecordOperations,
    ...operatorChangesOperations,
    ...operatorAuditOperations,
    ...operatorDestinationOperations,
    ...operatorParkedOperations,
    ...operatorSystemOperations,
    ...operatorWorkspaceOperations,
  },
  schemas: {
    OperatorSession: OPERATOR_SESSION,
    OperatorOverview: OPERATOR_OVERVIEW,
    OperatorRequest: OPERATOR_REQUEST,
    OperatorRequestList: OPERATOR_REQUEST_LIST,
    OperatorRequestCounts: OPERATOR_REQUEST_COUNTS,
    OperatorRequestStory: OPERATOR_REQUEST_STORY,
    OperatorCallback: OPERATOR_CALLBACK,
    OperatorCallbackList: OPERATOR_CALLBACK_LIST,
    OperatorHistoryEntry: OPERATOR_HISTORY_ENTRY,
    OperatorHistory: OPERATOR_HISTORY,
    OperatorLogEntries: OPERATOR_LOG_ENTRIES,
    OperatorRequestStates: OPERATOR_REQUEST_STATES,
    OperatorRecords: OPERATOR_RECORDS,
    AttestationBundle: ATTESTATION_BUNDLE,
    OperatorAudit: OPERATOR_AUDIT,
    ChangedRequests: CHANGED_REQUESTS,
    RevealedIdentities: REVEALED_IDENTITIES,
    OperatorReveal: OPERATOR_REVEAL,
    OperatorRevealList: OPERATOR_REVEAL_LIST,
    ...destinationSchemas,
    ...parkedSchemas,
    ...systemSchemas,
    ...workspaceSchemas,
    Error: PROBLEM_BODY,
  },
  bodies: { ...accessBodies, ...decisionBodies, ...parkedBodies, ...workspaceBodies },
};
