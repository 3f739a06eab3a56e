import { createHash } from 'node:crypto';
import { messageTypeOf } from '@opendsr-service/contracts';
import { WORKSPACE_ID } from '@opendsr-service/workspaces';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPE = /^[A-Za-z]{1,64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

export const isUuid = (text: string): boolean => UUID.test(text);

/** The workspace and the request of a key; undefined for a foreign key. */
export function requestOf(key: string): { readonly ws: string; readonly srid: string } | undefined {
  const [ws = '', srid = '', ...more] = key.split(':');
  return WORKSPACE_ID.test(ws) && isUuid(srid) && more.length === 0 ? { ws, srid } : undefined;
}

/** Stands for what an outsider may have written. */
export const hashOf = (text: string | Buffer): string =>
  `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

type Headers = Readonly<Record<string, string>>;

/** The type of a message; undefined if the header names none of ours. */
export function shownType(headers: Headers): string | undefined {
  const type = messageTypeOf(headers);
  return type !== undefined && TYPE.test(type) ? type : undefined;
}

const SHOWN_HEADERS: Readonly<Record<string, (value: string) => boolean>> = {
  'content-type': (value) => value === 'application/json',
  ce_specversion: (value) => value === '1.0',
  ce_id: isUuid,
  ce_type: (value) => shownType({ ce_type: value }) !== undefined,
  ce_subject: (value) => isUuid(value) || requestOf(value) !== undefined,
  ce_time: (value) => INSTANT.test(value),
  ce_workspaceid: (value) => WORKSPACE_ID.test(value),
};

/** Our headers: valid values as they are, others as hashes. Of other headers it shows only the number. */
export function shownHeaders(headers: Headers): { readonly known: Headers; readonly others: number } {
  const entries = Object.entries(headers);
  const known = entries.flatMap(([name, value]) =>
    Object.hasOwn(SHOWN_HEADERS, name) ? [[name, SHOWN_HEADERS[name]?.(value) ? value : hashOf(value)]] : [],
  );
  return { known: Object.fromEntries(known) as Headers, others: entries.length - known.length };
}
