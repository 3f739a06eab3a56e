export interface BasicCredentials {
  readonly key: string;
  readonly secret: string;
}

const MAX_HEADER_BYTES = 1024;
const FORM = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Reads an `Authorization` header of RFC 7617: UTF-8, at most 1 KiB. Undefined for anything else. */
export function parseBasic(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined || Buffer.byteLength(header) > MAX_HEADER_BYTES) return undefined;
  const encoded = FORM.exec(header)?.[1];
  const text = encoded === undefined ? undefined : utf8Of(Buffer.from(encoded, 'base64'));
  if (text === undefined || CONTROL_CHARACTER.test(text)) return undefined;
  const colon = text.indexOf(':');
  return colon > 0 ? { key: text.slice(0, colon), secret: text.slice(colon + 1) } : undefined;
}

function utf8Of(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
