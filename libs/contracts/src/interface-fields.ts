import { INTERFACE_EXTENSIONS } from './interface-extensions';
import { API_VERSIONS } from './vocabulary';

/** Fields that answers and callbacks share (protocol, "Resources and their fields"). */
export const INTERFACE_FIELDS = {
  controllerId: { type: 'string', description: 'Id of the data controller, a field of the workspace.' },
  expectedAt: { type: 'string', format: 'date-time', description: 'Estimated fulfilment time.' },
  apiVersion: { type: 'string', enum: API_VERSIONS, description: 'The version of the root that received the request.' },
  resultsUrl: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'Where the results of a completed access or portability request are, for 7 days; null otherwise.',
  },
  extensions: INTERFACE_EXTENSIONS,
} as const;
