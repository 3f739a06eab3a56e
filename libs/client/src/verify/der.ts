export interface Element {
  /** First byte: 0x30 is a sequence, 0x02 an integer. */
  readonly tag: number;
  readonly content: Buffer;
  readonly raw: Buffer;
}

const LONG_FORM = 0x80;
const MAX_LENGTH_BYTES = 4;
const MANY_BYTE_TAG = 0x1f;

/** Throws a RangeError on incomplete or invalid DER. */
export function* elementsIn(bytes: Buffer): Generator<Element, void> {
  for (let at = 0; at < bytes.length;) {
    const element = elementAt(bytes, at);
    yield element;
    at += element.raw.length;
  }
}

export const allIn = (bytes: Buffer): Element[] => [...elementsIn(bytes)];

function elementAt(bytes: Buffer, at: number): Element {
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  const lengthBytes = first < LONG_FORM ? 0 : first - LONG_FORM;
  // DER has no indefinite length (0x80).
  if ((tag & MANY_BYTE_TAG) === MANY_BYTE_TAG || first === LONG_FORM || lengthBytes > MAX_LENGTH_BYTES)
    throw new RangeError('not DER');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  if (start + length > bytes.length) throw new RangeError('an element is incomplete');
  return { tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(at, start + length) };
}
