import { CALLBACK_BODY, VERSIONS, type ProtocolVersion } from '@opendsr-service/contracts';
import { ERROR_BODY, type ApiDescription } from '@opendsr-service/edge';
import {
  CANCELLATION_RECEIPT,
  CREATION_RECEIPT,
  DISCOVERY_RECORD,
  STATUS_RECORD,
} from '../http/answers/receipt-schemas';
import { ATTESTATION_BUNDLE, ATTESTATION_ENVELOPE } from '../http/attestations/attestation-schemas';
import { attestationOperations } from '../http/attestations/attestations.api';
import { CALLBACK_ENTRY, CALLBACK_LIST } from '../http/callbacks/callback-schemas';
import { callbackOperations } from '../http/callbacks/callbacks.api';
import { discoveryOperations } from '../http/discovery/discovery.api';
import { createRequestBodies } from '../intake/create-request.api';
import { requestOperations } from '../http/requests/requests.api';
import { operatorApi } from '../operator/operator-openapi.wiring';
import { resultsOperations } from '../http/results/results.api';
import { versionControllers } from '../http/version-controllers.wiring';

const FRAMEWORKS: Readonly<Record<string, string>> = { '1.0': 'OpenGDPR 1.0', '2.0': 'OpenDSR 2.0' };

const describeGateway = (version: ProtocolVersion): ApiDescription => ({
  name: version.root,
  info: {
    title: `Data subject requests (${FRAMEWORKS[version.apiVersion]})`,
    version: version.apiVersion,
    summary: 'Create, follow and cancel requests of data subjects for access, portability and erasure.',
    description: [
      'Every answer about requests is signed, and so is every callback: see the headers of the answers ' +
        'and the callback of *Create a request*.',
      'Times are RFC 3339 in UTC. A trailing slash makes no difference. Errors have one body, whatever went wrong.',
      'Titles in quotation marks, such as "Endpoints", are sections of the interface specification.',
    ].join('\n\n'),
  },
  tags: [
    { name: 'Requests', description: 'Requests of data subjects, seen only by the workspace that made them.' },
    {
      name: 'Callbacks',
      description: 'What became of the callbacks of a request: an addition of this service to the interface.',
    },
    {
      name: 'Attestations',
      description: 'Signed statements about requests that have ended: an addition of this service to the interface.',
    },
    { name: 'Discovery', description: 'What the service can do, and how its signatures are verified.' },
    { name: 'Results', description: 'What access and portability requests bring.' },
  ],
  errorStyle: 'dsr',
  securitySchemes: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'Key and secret of a workspace (protocol, "Authentication").',
    },
  },
  controllers: versionControllers(version),
  operations: {
    ...requestOperations(version),
    ...callbackOperations(version),
    ...attestationOperations(version),
    ...discoveryOperations(version),
    ...resultsOperations(version),
  },
  schemas: {
    CreationReceipt: CREATION_RECEIPT,
    StatusRecord: STATUS_RECORD,
    CancellationReceipt: CANCELLATION_RECEIPT,
    DiscoveryRecord: DISCOVERY_RECORD,
    Callback: CALLBACK_BODY,
    CallbackList: CALLBACK_LIST,
    CallbackEntry: CALLBACK_ENTRY,
    AttestationEnvelope: ATTESTATION_ENVELOPE,
    AttestationBundle: ATTESTATION_BUNDLE,
    Error: ERROR_BODY,
  },
  bodies: createRequestBodies(version),
});

export const gatewayApis: readonly ApiDescription[] = [...VERSIONS.map(describeGateway), operatorApi];
