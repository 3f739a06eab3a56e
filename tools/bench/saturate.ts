import type { Connection, HttpAnswer } from './connections';
import { spreadOf, type Spread } from './statistics';

/** What came of calling as fast as a number of connections can. */
export interface Saturated {
  /** Answers as they should be. */
  readonly count: number;
  readonly perSecond: number;
  readonly spread: Spread | null;
  /** How often each other status came; 0 stands for no answer. */
  readonly errors: Readonly<Record<number, number>>;
}

export interface Saturation {
  readonly connections: readonly Connection[];
  readonly durationMs: number;
  readonly wanted: number;
  /** Makes the next call on a connection. */
  readonly call: (connection: Connection) => Promise<HttpAnswer>;
}

/** Calls on every connection again as soon as it has answered. Answers that come after the window are waited for, not counted. */
export async function saturate({ connections, durationMs, wanted, call }: Saturation): Promise<Saturated> {
  const latenciesMs: number[] = [];
  const errors: Record<number, number> = {};
  const begin = performance.now();
  const end = begin + durationMs;
  const worker = async (connection: Connection): Promise<void> => {
    for (let sent = performance.now(); sent < end;) {
      const { status } = await call(connection);
      const now = performance.now();
      if (status !== wanted) errors[status] = (errors[status] ?? 0) + 1;
      else if (now <= end) latenciesMs.push(now - sent);
      sent = now;
    }
  };
  await Promise.all(connections.map(worker));
  return {
    count: latenciesMs.length,
    perSecond: (latenciesMs.length / durationMs) * 1000,
    spread: spreadOf(latenciesMs),
    errors,
  };
}
