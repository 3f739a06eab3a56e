import { randomBytes } from 'node:crypto';

const DRAWN_BYTES = 4_096;

let drawn = Buffer.alloc(0);

/**
 * Fresh random bytes for what is stored openly, such as an IV or an id, and never for a secret. Many are drawn at a time,
 * because a draw costs more than its bytes.
 */
export function publicBytes(count: number): Buffer {
  if (drawn.length < count) drawn = randomBytes(DRAWN_BYTES);
  const taken = drawn.subarray(0, count);
  drawn = drawn.subarray(count);
  return taken;
}
