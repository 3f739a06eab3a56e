/** Each stretch in which this process itself stood still counts as one step at most. */
const STEPS = 5;

/** Answers as the work does, and says once where that takes longer than so many milliseconds in which this process could have seen it. */
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
