import type { Spread } from './statistics';
import type { StoresUse } from './stores-use';

/** A backlog of callbacks that were all due on one tick, from its first verified delivery to its last. */
export interface DrainMeasured {
  readonly receivers: number;
  /** How many of them take nothing: one refuses connections, one never answers. */
  readonly dead: number;
  /** The most callbacks that go to one host at the same time, as the service was started. */
  readonly perHost: number;
  /** How many were delivered and verified; what is meant for the dead is beside them. */
  readonly delivered: number;
  readonly perSecond: number;
  /** From the tick to the arrival. */
  readonly spread: Spread | null;
  /** What should not have happened, and how often. Empty in a good run. */
  readonly faults: readonly string[];
  /** CPU milliseconds of each part for one callback. */
  readonly cpuMsEach: Readonly<Record<string, number>>;
  /** What a create with its first callback made the servers do. */
  readonly stores: StoresUse | null;
}

/** How late callbacks are while there are few of them, with a tick a second. */
export interface DelayMeasured {
  readonly perSecond: number;
  readonly delivered: number;
  /** From the tick that a callback was due on to its arrival. */
  readonly fromTick: Spread | null;
  /** From the status change to the arrival, the wait for the tick included. */
  readonly fromChange: Spread | null;
  readonly faults: readonly string[];
}

export interface CallbacksResult {
  readonly drains: readonly DrainMeasured[];
  readonly delay: DelayMeasured;
}

export const faultsOfCallbacks = ({ drains, delay }: CallbacksResult): string[] => [
  ...drains.flatMap(({ receivers, faults }) => faults.map((fault) => `${String(receivers)} receivers: ${fault}`)),
  ...delay.faults.map((fault) => `light load: ${fault}`),
];
