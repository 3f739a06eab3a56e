/** A pause of this process counts as one step at most. */
const STEPS = 5;

/** Settles as the work; calls `late` once if it takes too long while this process runs. */
export async function notifyWhenLate<R>(work: Promise<R>, lateAfterMs: number, late: () => void): Promise<R> {
  let left = STEPS;
  const step = (): void => {
    left -= 1;
    if (left === 0) late();
    else timer = setTimeout(step, lateAfterMs / STEPS);
  };
  let timer = setTimeout(step, lateAfterMs / STEPS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
