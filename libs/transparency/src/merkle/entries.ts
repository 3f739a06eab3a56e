const LENGTH_BYTES = 2;

/** The longest entry of a log (C2SP tlog-tiles: the length has 16 bits). */
const MAX_ENTRY_BYTES = 0xffff;

/** A bundle: each entry after its length. */
export const bundleOf = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new RangeError('an entry is too long for the log');
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );

/** The entries of a bundle; undefined where its lengths do not fit. */
export function entriesOf(bundle: Buffer): Buffer[] | undefined {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    if (at + LENGTH_BYTES > bundle.length) return undefined;
    const end = at + LENGTH_BYTES + bundle.readUInt16BE(at);
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  return entries;
}
