import type { StatusRecord } from './records';

/** What there is to fetch of an access or portability request (interface.md, "Results download"). */
export type Results =
  /** A ZIP. Read or cancel the stream; the time-outs of the client do not end it, a signal does. */
  | { readonly state: 'ready'; readonly stream: ReadableStream<Uint8Array>; readonly sizeBytes: number | undefined }
  /** There is no link: the request is not complete, or is an erasure. */
  | { readonly state: 'none'; readonly status: StatusRecord }
  /** The request is complete, and nobody was found under its identities. */
  | { readonly state: 'nobody' }
  /** The 7 days of the link are over. */
  | { readonly state: 'expired' };

/** What a results link answered; undefined where it is an error of another kind. */
export function resultsOf({ status, body, headers }: Response): Results | undefined {
  if (status === 404) return { state: 'nobody' };
  if (status === 410) return { state: 'expired' };
  const length = headers.get('content-length');
  return status === 200 && body
    ? { state: 'ready', stream: body, sizeBytes: length === null ? undefined : Number(length) }
    : undefined;
}
