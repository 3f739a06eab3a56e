import type { ObjectId } from '../bson';
import { EmbeddedUnsupported } from '../errors';
import { binaryParts, rankOf, ranks } from '../values';

/** Grows as needed; one is reused for all keys, since none is built while another is under way. */
let scratch = Buffer.alloc(1024);
let length = 0;

function reserve(bytes: number): void {
  if (length + bytes > scratch.length) scratch = Buffer.concat([scratch], (length + bytes) * 2);
}

function putByte(byte: number): void {
  reserve(1);
  scratch[length++] = byte;
}

function putBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, length);
  length += bytes.length;
}

function putTime(ms: number): void {
  reserve(8);
  scratch.writeBigUInt64BE(BigInt.asUintN(64, BigInt(ms) ^ (1n << 63n)), length);
  length += 8;
}

/** The bits of a double sort like the number once the sign is inverted. */
function putNumber(double: number): void {
  reserve(8);
  if (Number.isNaN(double)) scratch.fill(0, length, length + 8);
  else {
    scratch.writeDoubleBE(double === 0 ? 0 : double, length);
    if (double < 0) for (let n = 0; n < 8; n++) scratch[length + n] = ~(scratch[length + n] as number);
    else scratch[length] = (scratch[length] as number) ^ 0x80;
  }
  length += 8;
}

/** A zero byte in the text is escaped, so that two of them end it and a shorter text sorts first. */
function putString(value: string): void {
  if (value.includes('\0')) {
    putBytes(Buffer.from(value.replaceAll('\0', '\0\u{10ffff}')));
  } else {
    reserve(value.length * 3);
    length += scratch.write(value, length);
  }
  putByte(0);
  putByte(0);
}

function putBinary(value: unknown): void {
  const { bytes, subtype } = binaryParts(value);
  reserve(5);
  length = scratch.writeUInt32BE(bytes.length, length);
  putByte(subtype);
  putBytes(bytes);
}

function putObject(value: object): void {
  for (const [name, inner] of Object.entries(value)) {
    putByte(rankOf(inner));
    putString(name);
    putValue(inner);
  }
  putByte(0);
}

function refuseArray(): never {
  throw new EmbeddedUnsupported('an array in an indexed field');
}

/** By rank; values of the others are all the same. */
const encoders = new Map<number, (value: unknown) => void>([
  [ranks.number, (value) => putNumber(value as number)],
  [ranks.string, (value) => putString(value as string)],
  [ranks.object, (value) => putObject(value as object)],
  [ranks.array, refuseArray],
  [ranks.binary, putBinary],
  [ranks.objectId, (value) => putBytes((value as ObjectId).id)],
  [ranks.boolean, (value) => putByte(value ? 1 : 0)],
  [ranks.date, (value) => putTime((value as Date).getTime())],
]);

function putValue(value: unknown): void {
  const rank = rankOf(value);
  putByte(rank);
  encoders.get(rank)?.(value);
}

/** Bytes that sort as MongoDB sorts the values; inverted for direction -1. Equal values give equal bytes. */
export function keyOf(values: readonly unknown[], directions: readonly number[]): Buffer {
  length = 0;
  values.forEach((value, n) => {
    const start = length;
    putValue(value);
    if (directions[n] === -1) for (let at = start; at < length; at++) scratch[at] = ~(scratch[at] as number);
  });
  return Buffer.from(scratch.subarray(0, length));
}

/** The first key after all keys that begin with this one; undefined where there is none. */
export function after(key: Buffer): Buffer | undefined {
  for (let end = key.length; end > 0; end--) {
    if (key[end - 1] === 0xff) continue;
    const next = Buffer.from(key.subarray(0, end));
    next[end - 1] = (next[end - 1] as number) + 1;
    return next;
  }
  return undefined;
}
