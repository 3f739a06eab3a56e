/** The first multiple of the tick that is not before `from`: callbacks go out together, not in real time (interface.md, "Events"). */
export const nextTick = (from: Date, tickMs: number): Date => new Date(Math.ceil(from.getTime() / tickMs) * tickMs);
