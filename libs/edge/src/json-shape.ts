const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** Where the string ends whose first byte after the quote is at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** How deep an object or list may lie in others, and how many keys there may be over all objects. */
export interface ShapeLimits {
  readonly depth: number;
  readonly keys: number;
}

/** What is too much of JSON text, told in one pass over its bytes, before anything is built from them. */
export function excessOf(bytes: Uint8Array, limits: ShapeLimits): 'depth' | 'keys' | undefined {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at + 1);
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    // Outside of strings a colon stands after a key and nowhere else.
    else if (byte === colon) keys++;
    if (depth > limits.depth) return 'depth';
    if (keys > limits.keys) return 'keys';
  }
  return undefined;
}
