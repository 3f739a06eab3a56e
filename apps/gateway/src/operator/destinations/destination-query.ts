import { HOST_STATES, type HostState } from '@opendsr-service/operator-answers';
import { QueryReader } from '../lists/query-reader';

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
  const query = {
    ...{ workspace: reader.text('workspace'), state: reader.word('state', HOST_STATES) },
    ...{ limit: reader.limit(), after: reader.place(DESTINATIONS, ([host]) => host) },
  };
  reader.end();
  return query;
}
