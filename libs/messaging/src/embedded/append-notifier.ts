/** Wakes readers that wait for appends to a topic. The caller passes the count that it saw, so no append is missed. */
export class AppendNotifier {
  private readonly appends = new Map<string, number>();
  private readonly waiting = new Map<string, Set<() => void>>();

  appendCount(topic: string): number {
    return this.appends.get(topic) ?? 0;
  }

  notify(topic: string): void {
    this.appends.set(topic, this.appendCount(topic) + 1);
    const waiting = this.waiting.get(topic);
    this.waiting.delete(topic);
    waiting?.forEach((wake) => wake());
  }

  /** Wakes all who wait, because somebody may have appended to any topic. */
  notifyAll(): void {
    for (const topic of [...this.waiting.keys()]) this.notify(topic);
  }

  /** Resolves at the next append after `seen`, or when the signal aborts. */
  wait(topic: string, seen: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.appendCount(topic) !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.waiting.get(topic) ?? new Set();
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.waiting.set(topic, waiting.add(wake));
    });
  }
}
