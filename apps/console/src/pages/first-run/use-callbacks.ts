import { useEffect, useState } from 'react';
import { poll } from './poll';
import { callbacksAfter, type ArrivedCallback } from './sandbox';

const POLL_MS = 1_000;

/** The callbacks that arrive while the page is open, and those before it, the latest first. */
export function useCallbacks(): readonly ArrivedCallback[] {
  const [arrived, setArrived] = useState<readonly ArrivedCallback[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    let newest = 0;
    const ask = async (): Promise<void> => {
      const more = await callbacksAfter(newest, leaving.signal);
      newest = more.at(-1)?.number ?? newest;
      if (more.length > 0) setArrived((before) => [...more.toReversed(), ...before]);
    };
    void poll(ask, POLL_MS, leaving.signal);
    return () => leaving.abort();
  }, []);
  return arrived;
}
