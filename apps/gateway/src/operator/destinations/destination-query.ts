import { HOST_STATES } from '@opendsr-service/operator-answers';
import { readQuery, type QueryParameters } from '../lists/query-reader';

export type DestinationQuery = ReturnType<typeof parseDestinationQuery>;

export const DESTINATIONS = 'destinations';

/** Reads the parameters of the list of hosts. Throws a 400 that names every fault. */
export const parseDestinationQuery = (parameters: QueryParameters) =>
  readQuery(parameters, (reader) => ({
    workspace: reader.text('workspace'),
    state: reader.word('state', HOST_STATES),
    ...reader.page(DESTINATIONS, ([host]) => host),
  }));
