/**
 * Settles as `work` does. After `ms` milliseconds without a result it settles as `onDeadline` does: that answers in the
 * place of the work, or throws. The work itself is not cancelled, and its later result or error is dropped.
 */
export async function withDeadline<T, L>(work: Promise<T>, ms: number, onDeadline: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(onDeadline);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
