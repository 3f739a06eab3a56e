/** Keeps at most so many values; what was not asked for the longest time leaves first. */
export class Recent<V> {
  private readonly entries = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.most && !oldest.done) this.entries.delete(oldest.value);
  }

  all(): readonly (readonly [key: string, value: V])[] {
    return [...this.entries];
  }
}
