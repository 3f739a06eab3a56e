/** What became of a delivery when it came before. */
export interface Earlier {
  readonly at: Date;
  readonly answered: number;
}

const REMEMBERED = 10_000;

/**
 * The delivery ids of verified callbacks, the last ten thousand of them: the same id comes with every try and every
 * replay of one callback.
 */
export class Deliveries {
  private readonly known = new Map<string, Earlier>();

  earlier(id: string | undefined): Earlier | undefined {
    return id === undefined ? undefined : this.known.get(id);
  }

  remember(id: string | undefined, what: Earlier): void {
    if (id === undefined) return;
    this.known.delete(id);
    this.known.set(id, what);
    const [oldest] = this.known.keys();
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
  }
}
