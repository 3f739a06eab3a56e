interface AttemptQueue<T> {
  readonly running: Promise<T>;
  next?: Promise<T>;
}

/**
 * Lets calls that want the same at the same time in one process share a try, so that they do not stand in each other's way. A call
 * joins only a try that begins after it came: what it is told is never older than its question.
 */
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
