/** Lets calls that want the same at the same time in one process share one try, so that they do not stand in each other's way. */
export class SharedTries<T> {
  private readonly running = new Map<string, Promise<T>>();

  share(wanted: string, attempt: () => Promise<T>): Promise<T> {
    const known = this.running.get(wanted);
    if (known) return known;
    const begun = attempt().finally(() => this.running.delete(wanted));
    this.running.set(wanted, begun);
    return begun;
  }
}
