import { createHash } from 'node:crypto';

/** When callbacks are sent: at multiples of the tick, each destination a little later by a time of its own. */
export interface TickTimes {
  readonly tickMs: number;
  /** The destinations of a tick are spread over so much of it. */
  readonly spreadMs: number;
}

/** A number from 0 to below 1 that is the same for the same parts, everywhere and always, and looks like chance. */
export const fractionOf = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join('|')).digest().readUInt32BE(0) / 2 ** 32;

/** The first multiple of the tick that is not before `from`: callbacks go out together, not in real time (interface.md, "Events"). */
export const nextTick = (from: Date, tickMs: number): Date => new Date(Math.ceil(from.getTime() / tickMs) * tickMs);

/** How long after each tick this destination is sent, so that not all receivers are called at the same moment. */
export const spreadOf = (destination: string, spreadMs: number): number =>
  spreadMs === 0 ? 0 : Math.floor(fractionOf(destination) * spreadMs);

/** When what comes onto this destination now is sent. */
export const sendAt = (destination: string, now: Date, { tickMs, spreadMs }: TickTimes): Date =>
  new Date(nextTick(now, tickMs).getTime() + spreadOf(destination, spreadMs));
