import { DispatchWorker } from './dispatch.worker';
import { DeliveryRun, type DeliveryRunParts } from './delivery-run';
import { Traffic, type DispatchLimits } from './traffic';

export interface DispatchingParts extends Omit<DeliveryRunParts, 'traffic' | 'leaseMs' | 'tryMs' | 'againAfterMs'> {
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
  const turn = new DeliveryRun({ ...parts, traffic, leaseMs, tryMs, againAfterMs: slowMs });
  return new DispatchWorker({ store, run: turn, traffic, clock, leaseMs, tickMs: times.tickMs, log });
}
