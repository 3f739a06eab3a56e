import { type DescribedOperation, flag, object, objects, schemaRef, word } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { operatorErrors } from '../lists/operation-parts';

export const CHANGED_REQUESTS = object('The data of an event `changed`.', {
  requests: objects('Requests of the workspaces that the caller may read.', {
    workspace: word('The workspace that the request belongs to.'),
    subject_request_id: { type: 'string', format: 'uuid', description: 'The id of the request.' },
  }),
  more: flag('Whether more changed than are named: read lists again.'),
});

/** The route that says what changes. */
export const operatorChangesOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/changes`]: {
    operationId: 'watchOperatorChanges',
    'x-needs': 'read',
    tags: ['Requests'],
    summary: 'Hear which requests change',
    description:
      'Server-sent events: `changed`, a second or two after a request, its callbacks or its participants change. A ' +
      'stream ends after ten minutes at the latest, and browsers open it again by themselves. 429 where too many are open.',
    responses: {
      200: {
        description: 'Events, without an end. The data of each is a JSON text.',
        headers: {
          'X-Accel-Buffering': {
            schema: { type: 'string', enum: ['no'] },
            description: 'Proxies pass events on at once.',
          },
        },
        content: { 'text/event-stream': { schema: schemaRef('ChangedRequests') } },
      },
    },
    errors: operatorErrors,
  },
};
