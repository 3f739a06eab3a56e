/** Wakes those who wait for records of a topic. A ring between two waits is not lost: `wait` is given what its caller had heard. */
export class Bell {
  private readonly rings = new Map<string, number>();
  private readonly waiting = new Map<string, Set<() => void>>();

  heard(topic: string): number {
    return this.rings.get(topic) ?? 0;
  }

  ring(topic: string): void {
    this.rings.set(topic, this.heard(topic) + 1);
    const waiting = this.waiting.get(topic);
    this.waiting.delete(topic);
    waiting?.forEach((wake) => wake());
  }

  /** Resolves at the next ring after `heard`, after `atMostMs`, or when the signal aborts. */
  wait(topic: string, heard: number, atMostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.heard(topic) !== heard) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.waiting.get(topic) ?? new Set();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, atMostMs);
      signal.addEventListener('abort', wake);
      this.waiting.set(topic, waiting.add(wake));
    });
  }
}
