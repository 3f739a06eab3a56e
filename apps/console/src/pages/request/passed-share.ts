const PERCENT = 100;

/** How much of the time between two instants has passed, in whole percent from 0 to 100. */
export function passedPercent(from: string, to: string, now: Date): number {
  const [begin, end] = [new Date(from).getTime(), new Date(to).getTime()];
  if (end <= begin) return PERCENT;
  const share = (now.getTime() - begin) / (end - begin);
  return Math.round(Math.min(Math.max(share, 0), 1) * PERCENT);
}
