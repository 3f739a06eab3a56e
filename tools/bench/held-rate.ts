import type { Measured } from './result';
import type { Held as HeldRate } from './highest-rate';
import { lagGrowth, type Lag } from './statistics';

/** A rate at which something was asked of the service, and what came of it. */
export type HeldMeasure = HeldRate & { readonly measured: Measured };

/** The least part of what is offered that must be taken in and done, for a lag to count as flat. */
export const KEPT_SHARE = 0.95;

/** The first rate is held twice, because programs get faster in their first seconds. */
export const rateSteps = { firstPerSecond: 25, factor: 1.6, halvings: 2, lowestPerSecond: 2 };

/** Each rate is held this long, and after it what is left over may take so long. */
export const stepMs = (windowMs: number): number => Math.max(4_000, windowMs / 2);
export const drainMs = (windowMs: number): number => 10_000 + 2 * windowMs;

export interface Outcome {
  readonly admitted: number;
  readonly offered: number;
  /** What was still not done when waiting for it was given up. */
  readonly unfinished: number;
  readonly lags: readonly Lag[];
}

/** Workers look and callbacks leave on ticks, so a lag moves by this much of itself; a window shows growth only beyond it. */
const TICK_MS = 1_000;

/**
 * Whether work was done as fast as it came for so long: all of it taken in, all of it finished, and what came late in the window
 * not done later than what came early in it.
 */
export function isKept({ admitted, offered, unfinished, lags }: Outcome, durationMs: number): boolean {
  const growth = lagGrowth(lags);
  const allowed = Math.max(1 / KEPT_SHARE - 1, TICK_MS / durationMs);
  return admitted >= KEPT_SHARE * offered && unfinished === 0 && growth !== null && growth <= allowed;
}
