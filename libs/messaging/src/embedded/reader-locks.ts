/** Allows one reader of a partition in a group; a second reader waits until the first leaves. */
export class ReaderLocks {
  private readonly held = new Map<string, Promise<void>>();

  /** Resolves with a release function, or with undefined when the signal aborts. */
  async acquire(name: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const before = this.held.get(name) ?? Promise.resolve();
    let leave = (): void => undefined;
    const mine = new Promise<void>((resolve) => (leave = resolve));
    this.held.set(
      name,
      before.then(() => mine),
    );
    if (await this.waitFor(before, signal)) return leave;
    void before.then(leave);
    return undefined;
  }

  private waitFor(before: Promise<void>, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => resolve(false);
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      void before.then(() => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      });
    });
  }
}
