import type { Shape } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { timeOfRecord } from '../time-of';
import { inPlaceOfValue } from './in-place-of-value';
import type { LOG_RECORD } from './log-record-schema';
import { shownFields } from './shown-fields';
import { isUuid, shownType } from './shown-record';

/** A record of a request as the API shows it. `participants`: the names that the request knows. */
export function logRecordAnswer(record: LogRecord, participants: ReadonlySet<string>): Shape<typeof LOG_RECORD> {
  const { topic, partition, offset, headers, timestampMs } = record;
  const { fields, others } = shownFields(record, participants);
  const id = headers['ce_id'];
  return {
    ...{ topic, partition, offset, time: timeOfRecord(timestampMs) },
    type: shownType(headers) ?? null,
    message_id: id !== undefined && isUuid(id) ? id : null,
    ...{ fields, other_fields: others, ...inPlaceOfValue(record) },
  };
}
