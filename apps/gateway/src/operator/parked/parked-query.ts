import { RECORD_KINDS, type RecordKind } from '@opendsr-service/messaging';
import { SERVICE_NAMES, type ServiceName } from '@opendsr-service/operator-answers';
import { QueryReader } from '../lists/query-reader';
import { textCursor } from '../lists/cursor';

export interface ParkedQuery {
  readonly service: ServiceName | undefined;
  readonly workspace: string | undefined;
  readonly reason: string | undefined;
  readonly kind: RecordKind | undefined;
  /** As records show it. */
  readonly key: string | undefined;
  readonly limit: number;
  readonly after: ParkedPlace | undefined;
}

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
export function parseParkedQuery(parameters: Readonly<Record<string, unknown>>): ParkedQuery {
  const reader = new QueryReader(parameters, [
    'service',
    'workspace',
    'parked_reason',
    'kind',
    'key',
    'limit',
    'cursor',
  ]);
  const query = {
    ...{ service: reader.word('service', SERVICE_NAMES), workspace: reader.text('workspace') },
    ...{ reason: reader.text('parked_reason'), kind: reader.word('kind', RECORD_KINDS), key: reader.text('key') },
    ...{ limit: reader.limit(), after: reader.place(PARKED, placeOf) },
  };
  reader.end();
  return query;
}
