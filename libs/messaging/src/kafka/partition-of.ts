const seed = 0x9747b28c;
const mix = 0x5bd1e995;

/** murmur2 as Kafka's own clients compute it, over 32-bit integers. */
function murmur2(data: Buffer): number {
  let hash = seed ^ data.length;
  const whole = data.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(data.readInt32LE(at), mix);
    word = Math.imul(word ^ (word >>> 24), mix);
    hash = Math.imul(hash, mix) ^ word;
  }
  for (let at = data.length - 1; at >= whole; at--) {
    hash ^= (data[at] as number) << (8 * (at - whole));
    if (at === whole) hash = Math.imul(hash, mix);
  }
  hash = Math.imul(hash ^ (hash >>> 13), mix);
  return hash ^ (hash >>> 15);
}

/** The partition that Kafka's Java client and kafkajs choose, so that a key keeps its order. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}
