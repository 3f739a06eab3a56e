import { HOST_STATES, type HostState } from '@opendsr-service/operator-answers';
import { QueryReader } from '../lists/query-reader';
import { parseTextCursor } from '../lists/text-cursor';

export interface DestinationQuery {
  readonly workspace: string | undefined;
  readonly state: HostState | undefined;
  readonly limit: number;
  readonly after: string | undefined;
}

export const DESTINATIONS = 'destinations';

/** Reads the parameters of the list of hosts. Throws a 400 that names every fault. */
export function parseDestinationQuery(parameters: Readonly<Record<string, unknown>>): DestinationQuery {
  const reader = new QueryReader(parameters, ['workspace', 'state', 'limit', 'cursor']);
  const cursor = reader.text('cursor');
  const after = cursor === undefined ? undefined : parseTextCursor(DESTINATIONS, cursor)?.[0];
  if (cursor !== undefined && after === undefined) reader.fault('cursor', 'is none of this list');
  const query = {
    ...{ workspace: reader.text('workspace'), state: reader.word('state', HOST_STATES) },
    ...{ limit: reader.limit(), after },
  };
  reader.end();
  return query;
}
