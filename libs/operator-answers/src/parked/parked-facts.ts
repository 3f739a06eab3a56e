import type { ParkedHead } from '@opendsr-service/messaging';
import { hashOf, requestOf, shownHeaders, shownType } from '../records/shown-record';
import type { ServiceName } from '../services';
import { shownId } from './parked-ids';

/** A key as it is shown: that of a request as it is, of any other the hash. */
export const shownKey = (key: string): string => (requestOf(key) ? key : hashOf(key));

export type ParkedFacts = ReturnType<typeof parkedFacts>;

/** The facts of a record that this service parked, without personal data. */
export function parkedFacts(head: ParkedHead, service: ServiceName) {
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
    // None where the header names no type of ours.
    ...(type !== undefined && { type }),
    reason,
    since: at.toISOString(),
    kind,
    /** For a redrive. */
    marked: redriveAt !== undefined,
  };
}

const headersOf = ({ record }: ParkedHead): Readonly<Record<string, string>> => Object.fromEntries(record.headers);

/** Our headers of a parked record, and the number of others. */
export const knownHeaders = (head: ParkedHead): ReturnType<typeof shownHeaders> => shownHeaders(headersOf(head));
