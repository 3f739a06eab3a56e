/** Settles as `work` does, or rejects with what `late` returns after `deadlineMs` milliseconds. */
export function rejectAfter<T>(work: Promise<T>, deadlineMs: number, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), deadlineMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
