import { spreadOf, type Spread } from './statistics';

/** A verified callback at its receiver: when its request was created and when it came, in milliseconds of one clock. */
export interface Arrival {
  readonly createdAtMs: number;
  readonly arrivedAtMs: number;
}

/** The first tick at or after a moment. */
export const tickAfter = (atMs: number, tickMs: number): number => Math.ceil(atMs / tickMs) * tickMs;

/** Arrivals a second from the first to the last; 0 of fewer than two moments. */
export function rateOf(arrivals: readonly Arrival[]): number {
  const times = arrivals.map(({ arrivedAtMs }) => arrivedAtMs).sort((a, b) => a - b);
  const lastedMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return lastedMs > 0 ? ((times.length - 1) / lastedMs) * 1000 : 0;
}

/** From one tick that all were due on. */
export const lagsFromTick = (arrivals: readonly Arrival[], tickAtMs: number): Spread | null =>
  spreadOf(arrivals.map(({ arrivedAtMs }) => arrivedAtMs - tickAtMs));

/** From the tick after each creation, where creations keep away from ticks. */
export const lagsFromOwnTick = (arrivals: readonly Arrival[], tickMs: number): Spread | null =>
  spreadOf(arrivals.map(({ createdAtMs, arrivedAtMs }) => arrivedAtMs - tickAfter(createdAtMs, tickMs)));

export const lagsFromCreation = (arrivals: readonly Arrival[]): Spread | null =>
  spreadOf(arrivals.map(({ createdAtMs, arrivedAtMs }) => arrivedAtMs - createdAtMs));

/** The same words once, with how often they were said. */
export function timesEach(words: readonly string[]): string[] {
  return [...Map.groupBy(words, (word) => word)].map(([word, all]) =>
    all.length === 1 ? word : `${String(all.length)} times: ${word}`,
  );
}
