import type { StatusRecord } from './records';

/** The results of an access or portability request (protocol, "Results download"). */
export type Results =
  /** A ZIP. Read or cancel the stream; no time-out applies to it. */
  | { readonly state: 'ready'; readonly stream: ReadableStream<Uint8Array>; readonly sizeBytes: number | undefined }
  /** No link: the request is not complete, or is an erasure. */
  | { readonly state: 'none'; readonly status: StatusRecord }
  /** The request is complete, without data for its identities. */
  | { readonly state: 'nobody' }
  /** The link expired after 7 days. */
  | { readonly state: 'expired' };

export function resultsOf({ status, body, headers }: Response): Results | undefined {
  if (status === 404) return { state: 'nobody' };
  if (status === 410) return { state: 'expired' };
  const length = headers.get('content-length');
  return status === 200 && body
    ? { state: 'ready', stream: body, sizeBytes: length === null ? undefined : Number(length) }
    : undefined;
}
