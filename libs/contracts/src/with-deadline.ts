/** Settles as `work`, or after `ms` milliseconds as `onDeadline`. It does not cancel the work, and drops its late result. */
export async function withDeadline<T, L>(work: Promise<T>, ms: number, onDeadline: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(onDeadline);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
