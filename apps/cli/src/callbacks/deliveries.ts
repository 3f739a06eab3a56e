/** An earlier attempt of the same delivery. */
export interface Earlier {
  readonly at: Date;
  readonly answered: number;
}

const REMEMBERED = 10_000;

/** The last delivery ids of verified callbacks: all attempts and replays of a callback have the same id. */
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
