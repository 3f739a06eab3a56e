/** What a body is read from: Node's own request, whoever wraps it. */
export interface RequestStream {
  /** Whether somebody has read from it. */
  readonly readableDidRead: boolean;
  /** Whether the whole of it has arrived. */
  readonly complete: boolean;
  /** The bytes that a parser set aside before it parsed (`rawBody` of Nest, `verify` of body-parser). */
  readonly rawBody?: unknown;
  /** The bytes themselves where the framework's parser takes them as they are (`express.raw()`). */
  readonly body?: unknown;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

/** The body was read, and its bytes thrown away, before its signature could be checked: the parsers of the application are in the way. */
export class BodyAlreadyReadError extends Error {
  override readonly name = 'BodyAlreadyReadError';
}

/** So much of a body that is too large is read all the same, so that its sender sees the answer and not a broken connection. */
const DISCARD_LIMIT_BYTES = 1024 * 1024;

/** The bytes of a body as they came; undefined where they are more than `limitBytes`. Rejects with a BodyAlreadyReadError where they are gone. */
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

/** What is left of a body cannot be followed by another request. */
export const closing = ({ complete }: RequestStream): Readonly<Record<string, string>> =>
  complete ? {} : { connection: 'close' };
