import { DispatchWorker } from './dispatch.worker';
import { DeliveryRun, type DeliveryRunParts } from './delivery-run';
import { Traffic, type DispatchLimits } from './traffic';

interface DispatchingParts extends Omit<DeliveryRunParts, 'traffic' | 'leaseMs' | 'tryMs' | 'againAfterMs'> {
  readonly limits: DispatchLimits;
  readonly onRunEnd?: () => void;
}

/** Knowledge about hosts is kept in memory, by each process for itself. */
export function openDispatching({ limits, onRunEnd = () => undefined, ...parts }: DispatchingParts): DispatchWorker {
  const { leaseMs, tryMs, slowMs, breaker } = limits;
  const { store, clock, times, log } = parts;
  const traffic = new Traffic({
    ...limits,
    breaker: { ...breaker, longestPauseMs: Math.max(breaker.pauseMs, times.tickMs) },
  });
  const run = new DeliveryRun({ ...parts, traffic, leaseMs, tryMs, againAfterMs: slowMs });
  return new DispatchWorker({ store, run, traffic, clock, leaseMs, onRunEnd, log });
}
