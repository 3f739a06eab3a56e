type DueListener = (inMs: number) => void;

/** Signals to the pollers of some work in this process that it is due, or when it will be. */
export class DueSignal {
  private readonly listeners: DueListener[] = [];

  /** Work is due in `inMs` milliseconds; 0, the default: now. */
  due(inMs = 0): void {
    for (const listener of this.listeners) listener(inMs);
  }

  subscribe(listener: DueListener): void {
    this.listeners.push(listener);
  }
}
