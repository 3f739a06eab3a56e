interface AttemptQueue<T> {
  readonly running: Promise<T>;
  next?: Promise<T>;
}

/** Shares attempts between equal concurrent calls. A call joins only an attempt that starts after it. */
export class SharedAttempts<T> {
  private readonly queues = new Map<string, AttemptQueue<T>>();

  share(wanted: string, attempt: () => Promise<T>): Promise<T> {
    const line = this.queues.get(wanted);
    if (!line) return this.begin(wanted, attempt);
    const begin = (): Promise<T> => this.begin(wanted, attempt);
    line.next ??= line.running.then(begin, begin);
    return line.next;
  }

  private begin(wanted: string, attempt: () => Promise<T>): Promise<T> {
    const line: AttemptQueue<T> = { running: attempt() };
    this.queues.set(wanted, line);
    const end = (): void => {
      if (!line.next) this.queues.delete(wanted);
    };
    line.running.then(end, end);
    return line.running;
  }
}
