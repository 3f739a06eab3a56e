import { ConnectionFault, tlsFault, type ConnectionFaultKind } from '@opendsr-service/storage';
import { connectionClosed, causeChain, type ErrorFields } from './faults';

const forbiddenTypes = new Set<unknown>([
  'CLUSTER_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'TOPIC_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
]);

function kindOf({ name, type, code }: ErrorFields): ConnectionFaultKind | undefined {
  if (name === 'KafkaJSSASLAuthenticationError') return 'authentication';
  return forbiddenTypes.has(type) ? 'authorization' : tlsFault(code);
}

/** Why a reachable cluster refuses access; undefined for other errors, such as an outage. */
export function connectionFault(error: unknown): ConnectionFault | undefined {
  const links = [...causeChain(error)];
  const kind =
    links.map(kindOf).find((known) => known !== undefined) ?? (links.some(connectionClosed) ? 'hung-up' : undefined);
  return kind && new ConnectionFault('Kafka', kind, { cause: error });
}

/** Names the right that was missing, as docs/connecting.md does; undefined for every other error. */
export const missingRight = (error: unknown, needs: string): ConnectionFault | undefined =>
  connectionFault(error)?.kind === 'authorization'
    ? new ConnectionFault('Kafka', 'authorization', { cause: error, needs })
    : undefined;
