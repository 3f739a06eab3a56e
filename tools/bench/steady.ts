import type { Connection } from './connections';
import { spreadOf, type Spread } from './statistics';

/** What came of calling at a rate. */
export interface Steady {
  /** How many calls were answered as they should be, of those made at the rate. */
  readonly admitted: number;
  /** How many calls the rate makes in the time. */
  readonly offered: number;
  readonly errors: Readonly<Record<number, number>>;
  /** How long those took that were answered as they should be. */
  readonly spread: Spread | null;
}

export interface Steadiness {
  readonly connections: readonly Connection[];
  readonly perSecond: number;
  readonly durationMs: number;
  /** Makes a call and answers its status. */
  readonly call: (connection: Connection) => Promise<number>;
  readonly wanted: number;
}

const TURN_MS = 5;

/** Calls at a rate that does not wait for answers, as long as a connection is free; what finds none is offered but not admitted. */
export async function holdRate({ connections, perSecond, durationMs, call, wanted }: Steadiness): Promise<Steady> {
  const idle = [...connections];
  const errors: Record<number, number> = {};
  const running = new Set<Promise<void>>();
  const latenciesMs: number[] = [];
  let made = 0;
  const one = async (connection: Connection): Promise<void> => {
    const sentMs = performance.now();
    const status = await call(connection);
    if (status === wanted) latenciesMs.push(performance.now() - sentMs);
    else errors[status] = (errors[status] ?? 0) + 1;
    idle.push(connection);
  };
  const turn = (elapsedMs: number): void => {
    for (const due = Math.floor((elapsedMs * perSecond) / 1000); made < due; made += 1) {
      const connection = idle.pop();
      if (!connection) return;
      const call = one(connection).finally(() => running.delete(call));
      running.add(call);
    }
  };
  const begin = performance.now();
  for (let now = begin; now - begin < durationMs; now = performance.now()) {
    turn(now - begin);
    await new Promise((next) => setTimeout(next, TURN_MS));
  }
  turn(durationMs);
  await Promise.all(running);
  return {
    admitted: latenciesMs.length,
    offered: Math.floor((durationMs * perSecond) / 1000),
    errors,
    spread: spreadOf(latenciesMs),
  };
}
