const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];
const BLANK = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Of an array its elements, of an object its members, as they came. `json` must be valid. In UTF-8 no byte of a
 * multi-byte character equals one of these signs.
 */
export function jsonElements(json: Buffer): Buffer[] {
  const elements: Buffer[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else depth += depthStep(byte);
    if (depth === 1 && OPENING.includes(byte)) from = at + 1;
    if (endsElement(byte, depth)) {
      elements.push(trimmed(json.subarray(from, at)));
      from = at + 1;
    }
  }
  return elements.filter(({ length }) => length > 0);
}

const depthStep = (byte: number): number => (OPENING.includes(byte) ? 1 : CLOSING.includes(byte) ? -1 : 0);

const endsElement = (byte: number, depth: number): boolean =>
  (depth === 1 && byte === COMMA) || (depth === 0 && CLOSING.includes(byte));

function endOfString(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

function trimmed(bytes: Buffer): Buffer {
  const isText = (byte: number): boolean => !BLANK.includes(byte);
  return bytes.subarray(Math.max(0, bytes.findIndex(isText)), bytes.findLastIndex(isText) + 1);
}
