import { Incarnation, type HttpAnswer, type HttpCall } from './incarnation';
import type { Kind } from './kinds';
import type { WorldParts } from './world-parts';

const LONGEST_DOWN_MS = 8_000;

/** A place for a process of one kind: whenever it dies another one boots in its place a little later. */
export class Replica {
  private current: Incarnation;
  private life = 1;
  private isOver = false;

  constructor(
    readonly name: string,
    private readonly kind: Kind,
    private readonly world: WorldParts,
  ) {
    this.current = this.begin();
  }

  get isUp(): boolean {
    return this.current.isAlive && this.current.isUp;
  }

  call(call: HttpCall): Promise<HttpAnswer | undefined> {
    return this.current.call(call);
  }

  crash(): void {
    this.current.crash();
  }

  /** Dies, and nothing boots in its place. */
  end(): void {
    this.isOver = true;
    this.current.crash();
  }

  private begin(): Incarnation {
    const incarnation = new Incarnation(`${this.name}.${this.life}`, this.kind, this.world);
    this.life += 1;
    incarnation.onDeath(() => {
      if (this.isOver) return;
      const downMs = this.world.chance.below(LONGEST_DOWN_MS);
      void this.world.time.waitOutside(downMs).then(() => (this.current = this.begin()));
    });
    incarnation.boot();
    return incarnation;
  }
}
