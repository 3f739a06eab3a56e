/** Each stretch in which this process itself stood still counts as one step at most. */
const STEPS = 5;

/** Answers as the work does, and says once where that takes longer than so many milliseconds in which this process could have seen it. */
export async function tellLate<R>(work: Promise<R>, patienceMs: number, late: () => void): Promise<R> {
  let left = STEPS;
  const step = (): void => {
    left -= 1;
    if (left === 0) late();
    else timer = setTimeout(step, patienceMs / STEPS);
  };
  let timer = setTimeout(step, patienceMs / STEPS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
