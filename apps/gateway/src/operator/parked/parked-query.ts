import { KIND_FILTERS } from '@opendsr-service/messaging';
import { SERVICE_NAMES, type ServiceName } from '@opendsr-service/operator-answers';
import { readQuery, type QueryParameters } from '../lists/query-reader';
import { textCursor } from '../lists/cursor';

export type ParkedQuery = ReturnType<typeof parseParkedQuery>;

/** Behind which record of which service a list goes on; without a record, at the first one. */
interface ParkedPlace {
  readonly service: ServiceName;
  readonly after: string | undefined;
}

const PARKED = 'parked';

export const parkedCursor = ({ service, after }: ParkedPlace): string => textCursor(PARKED, service, after ?? '');

function placeOf([name, after]: readonly string[]): ParkedPlace | undefined {
  const service = SERVICE_NAMES.find((one) => one === name);
  return service && { service, after: after === '' ? undefined : after };
}

/** Reads the parameters of the list of parked records. Throws a 400 that names every fault. */
export const parseParkedQuery = (parameters: QueryParameters) =>
  readQuery(parameters, (reader) => ({
    service: reader.word('service', SERVICE_NAMES),
    workspace: reader.text('workspace'),
    reason: reader.text('parked_reason'),
    kind: reader.word('kind', KIND_FILTERS),
    /** As records show it. */
    key: reader.text('key'),
    ...reader.page(PARKED, placeOf),
  }));
