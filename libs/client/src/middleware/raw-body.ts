export interface RequestStream {
  readonly readableDidRead: boolean;
  readonly complete: boolean;
  /** Set by `rawBody` of Nest and `verify` of body-parser. */
  readonly rawBody?: unknown;
  /** Set by parsers such as `express.raw()`. */
  readonly body?: unknown;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** A parser of the application consumed the signed bytes. */
export class BodyAlreadyReadError extends Error {
  override readonly name = 'BodyAlreadyReadError';
}

/** Reads the rest of a large body, so that the sender sees the answer. */
const DISCARD_LIMIT_BYTES = 1024 * 1024;

/** Undefined if the body exceeds `limitBytes`. Rejects with a BodyAlreadyReadError. */
export async function rawBodyOf(request: RequestStream, limitBytes: number, hint: string): Promise<Buffer | undefined> {
  const kept = [request.rawBody, request.body].find((bytes) => bytes instanceof Uint8Array);
  if (kept) return kept.byteLength > limitBytes ? undefined : Buffer.from(kept);
  if (request.readableDidRead)
    throw new BodyAlreadyReadError(`the body was read before its signature could be checked: ${hint}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.byteLength;
    if (size <= limitBytes) parts.push(part);
    else if (size > DISCARD_LIMIT_BYTES) break;
  }
  return size > limitBytes ? undefined : Buffer.concat(parts, size);
}

/** The connection is reused only after the whole body was read. */
export const closing = ({ complete }: RequestStream): Readonly<Record<string, string>> =>
  complete ? {} : { connection: 'close' };
