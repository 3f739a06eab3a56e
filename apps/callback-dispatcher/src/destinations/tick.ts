import { createHash } from 'node:crypto';

/** Callbacks are sent at multiples of the tick, each destination at its own offset. */
export interface TickTimes {
  readonly tickMs: number;
  readonly spreadMs: number;
}

/** A stable pseudo-random number from 0 to below 1. */
export const fractionOf = (...parts: readonly (string | number)[]): number =>
  createHash('sha256').update(parts.join('|')).digest().readUInt32BE(0) / 2 ** 32;

/** The first multiple of the tick that is not before `from` (protocol, "Status callbacks"). */
export const nextTick = (from: Date, tickMs: number): Date => new Date(Math.ceil(from.getTime() / tickMs) * tickMs);

export const spreadOf = (destination: string, spreadMs: number): number =>
  spreadMs === 0 ? 0 : Math.floor(fractionOf(destination) * spreadMs);

export const sendAt = (destination: string, now: Date, { tickMs, spreadMs }: TickTimes): Date =>
  new Date(nextTick(now, tickMs).getTime() + spreadOf(destination, spreadMs));
