import { DispatchWorker } from './dispatch.worker';
import { LaneTurn, type LaneTurnParts } from './lane-turn';
import { Traffic, type DispatchLimits } from './traffic';

export interface DispatchingParts extends Omit<LaneTurnParts, 'traffic' | 'leaseMs' | 'againAfterMs'> {
  readonly limits: DispatchLimits;
}

/** What sends callbacks in a process. It keeps in memory what it knows of hosts; other processes find out by themselves. */
export function openDispatching({ limits, ...parts }: DispatchingParts): DispatchWorker {
  const { concurrency, leaseMs, slowMs } = limits;
  const { store, clock, times, log } = parts;
  const traffic = new Traffic({ ...limits, slowConcurrency: Math.max(1, Math.floor(concurrency / 2)) });
  const turn = new LaneTurn({ ...parts, traffic, leaseMs, againAfterMs: slowMs });
  return new DispatchWorker({ store, turn, traffic, clock, concurrency, leaseMs, tickMs: times.tickMs, log });
}
