/** Undefined if the stream exceeds `limitBytes`; the rest stays unread. */
export async function readUpTo(stream: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size > limitBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
