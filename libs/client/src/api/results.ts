import { errorBodyOf } from './errors';
import type { StatusRecord } from './records';
import type { Answer } from './transport';

/** The results of an access or portability request (protocol, "Results download"). */
export type Results =
  /** A ZIP. Read or cancel the stream; no time-out applies to it. */
  | { readonly state: 'ready'; readonly stream: ReadableStream<Uint8Array>; readonly sizeBytes: number | undefined }
  /** No link: the request is not complete, or is an erasure. */
  | { readonly state: 'none'; readonly status: StatusRecord }
  /** The request is complete, without data for its identities. Another 404, as of a proxy, is a DsrApiError. */
  | { readonly state: 'nobody' }
  /** The link ended: its 7 days are over, or a person in the archive was erased. */
  | { readonly state: 'expired' };

/** Undefined for an error that says nothing about the results. */
export function resultsOf({ response: { status, body, headers }, body: errorBody }: Answer): Results | undefined {
  if (status === 404 && isNotFound(errorBody)) return { state: 'nobody' };
  if (status === 410) return { state: 'expired' };
  const length = headers.get('content-length');
  return status === 200 && body
    ? { state: 'ready', stream: body, sizeBytes: length === null ? undefined : Number(length) }
    : undefined;
}

const isNotFound = (errorBody: Buffer | undefined): boolean =>
  errorBodyOf(errorBody?.toString() ?? '').entries.some(({ reason }) => reason === 'NotFoundException');
