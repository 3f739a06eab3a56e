import type { Shape } from '@opendsr-service/contracts';
import type { LogRecord, ParkedHead } from '@opendsr-service/messaging';
import type { ServiceName } from '../services';
import { inPlaceOfValue } from '../records/in-place-of-value';
import { requestOf } from '../records/shown-record';
import { parkedFacts } from './parked-facts';
import { pathId } from './parked-ids';
import type { PARKED_RECORD, PARKED_RECORD_DETAIL } from './parked-schemas';

/** A parked record as the API shows it. */
export function recordAnswer(head: ParkedHead, service: ServiceName): Shape<typeof PARKED_RECORD> {
  const facts = parkedFacts(head, service);
  const request = requestOf(head.key);
  return {
    ...facts,
    id: pathId(head._id),
    workspace: request?.ws ?? null,
    subject_request_id: request?.srid ?? null,
    type: facts.type ?? null,
  };
}

interface Surroundings {
  readonly behind: number;
  readonly blockedBy: string | undefined;
  readonly record: LogRecord;
}

/** A parked record with what surrounds it. */
export function detailAnswer(
  head: ParkedHead,
  service: ServiceName,
  { behind, blockedBy, record }: Surroundings,
): Shape<typeof PARKED_RECORD_DETAIL> {
  return {
    ...recordAnswer(head, service),
    behind,
    blocked_by: blockedBy === undefined ? null : pathId(blockedBy),
    ...inPlaceOfValue(record),
  };
}
