/** One partition has one reader of a group: whoever comes second waits until the first one leaves. */
export class Seats {
  private readonly taken = new Map<string, Promise<void>>();

  /** Resolves with the verb that gives the seat up, or with undefined where the signal aborts before the seat is free. */
  async take(name: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const before = this.taken.get(name) ?? Promise.resolve();
    let leave = (): void => undefined;
    const mine = new Promise<void>((resolve) => (leave = resolve));
    this.taken.set(
      name,
      before.then(() => mine),
    );
    if (await this.seated(before, signal)) return leave;
    void before.then(leave);
    return undefined;
  }

  private seated(before: Promise<void>, signal: AbortSignal): Promise<boolean> {
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
