/** No process uses a destroyed key for longer (decision 4). An erasure waits for this time before its second pass. */
export const KEY_CACHE_MS = 60_000;
