import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time, which moves each minute while a page shows it. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The time of this call, for what is judged once. */
export const rightNow = (): Date => new Date();
