import type { ParkedHead, RecordKind } from '@opendsr-service/messaging';
import { hashOf, requestOf, shownHeaders, shownType } from '../records/shown-record';
import type { ServiceName } from '../services';
import { shownId } from './parked-ids';

/** The facts of a parked record without personal data. */
export interface ParkedFacts {
  readonly id: string;
  readonly service: ServiceName;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** `<ws>:<srid>`; the hash of any other key, which outsiders may have written. */
  readonly key: string;
  /** Absent if the header names no type of ours. */
  readonly type?: string;
  readonly reason: string;
  readonly since: string;
  readonly kind: RecordKind;
  /** Whether it is marked for a redrive. */
  readonly marked: boolean;
}

/** A key as it is shown: that of a request as it is, of any other the hash. */
export const shownKey = (key: string): string => (requestOf(key) ? key : hashOf(key));

/** The facts of a record that this service parked. */
export function parkedFacts(head: ParkedHead, service: ServiceName): ParkedFacts {
  const { group, topic, partition, offset, key, reason, at, kind, redriveAt } = head;
  const type = shownType(headersOf(head));
  return {
    id: shownId(head._id),
    service,
    group,
    topic,
    partition,
    offset,
    key: shownKey(key),
    ...(type !== undefined && { type }),
    reason,
    since: at.toISOString(),
    kind,
    marked: redriveAt !== undefined,
  };
}

const headersOf = ({ record }: ParkedHead): Readonly<Record<string, string>> => Object.fromEntries(record.headers);

/** Our headers of a parked record, and the number of others. */
export const knownHeaders = (head: ParkedHead): ReturnType<typeof shownHeaders> => shownHeaders(headersOf(head));
