import { createHash } from 'node:crypto';
import { messageTypeOf } from '@opendsr-service/contracts';
import type { ParkedHead, RecordKind } from '@opendsr-service/messaging';
import { WORKSPACE_ID } from '@opendsr-service/workspaces';
import type { ServiceName } from '../services';

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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPE = /^[A-Za-z]{1,64}$/;

/** The workspace and the request of a key; undefined for a foreign key. */
export function requestOf(key: string): { readonly ws: string; readonly srid: string } | undefined {
  const [ws = '', srid = '', ...more] = key.split(':');
  return WORKSPACE_ID.test(ws) && UUID.test(srid) && more.length === 0 ? { ws, srid } : undefined;
}

/** Stands for what an outsider may have written. */
export const hashOf = (text: string | Buffer): string =>
  `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

/** A key as it is shown: that of a request as it is, of any other the hash. */
export const shownKey = (key: string): string => (requestOf(key) ? key : hashOf(key));

/** A shell needs quotes for `|`. No name of a group or topic contains `/`. */
export const shownId = (id: string): string => id.replaceAll('|', '/');
export const storedId = (shown: string): string => shown.replaceAll('/', '|');

/** The facts of a record that this service parked. */
export function factsOf(head: ParkedHead, service: ServiceName): ParkedFacts {
  const { group, topic, partition, offset, key, reason, at, kind, redriveAt } = head;
  const type = messageTypeOf(headersOf(head));
  return {
    id: shownId(head._id),
    service,
    group,
    topic,
    partition,
    offset,
    key: shownKey(key),
    ...(type !== undefined && TYPE.test(type) && { type }),
    reason,
    since: at.toISOString(),
    kind,
    marked: redriveAt !== undefined,
  };
}

const headersOf = ({ record }: ParkedHead): Readonly<Record<string, string>> => Object.fromEntries(record.headers);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const SHOWN_HEADERS: Readonly<Record<string, (value: string) => boolean>> = {
  'content-type': (value) => value === 'application/json',
  ce_specversion: (value) => value === '1.0',
  ce_id: (value) => UUID.test(value),
  ce_type: (value) => TYPE.test(messageTypeOf({ ce_type: value }) ?? ''),
  ce_subject: (value) => requestOf(value) !== undefined,
  ce_time: (value) => instant.test(value),
  ce_workspaceid: (value) => WORKSPACE_ID.test(value),
};

/** Our headers: valid values as they are, others as hashes. Of other headers it shows only the number. */
export function knownHeaders(head: ParkedHead): {
  readonly known: Readonly<Record<string, string>>;
  readonly others: number;
} {
  const entries = Object.entries(headersOf(head));
  const known = entries.flatMap(([name, value]) =>
    Object.hasOwn(SHOWN_HEADERS, name) ? [[name, SHOWN_HEADERS[name]?.(value) ? value : hashOf(value)]] : [],
  );
  return { known: Object.fromEntries(known) as Record<string, string>, others: entries.length - known.length };
}
