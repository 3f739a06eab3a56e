import { DispatchWorker } from './dispatch.worker';
import { DestinationTurn, type DestinationTurnParts } from './destination-turn';
import { Traffic, type DispatchLimits } from './traffic';

export interface DispatchingParts extends Omit<DestinationTurnParts, 'traffic' | 'leaseMs' | 'tryMs' | 'againAfterMs'> {
  readonly limits: DispatchLimits;
}

/** What sends callbacks in a process. It keeps in memory what it knows of hosts; other processes find out by themselves. */
export function openDispatching({ limits, ...parts }: DispatchingParts): DispatchWorker {
  const { leaseMs, tryMs, slowMs, breaker } = limits;
  const { store, clock, times, log } = parts;
  const traffic = new Traffic({
    ...limits,
    breaker: { ...breaker, longestPauseMs: Math.max(breaker.pauseMs, times.tickMs) },
  });
  const turn = new DestinationTurn({ ...parts, traffic, leaseMs, tryMs, againAfterMs: slowMs });
  return new DispatchWorker({ store, turn, traffic, clock, leaseMs, tickMs: times.tickMs, log });
}
