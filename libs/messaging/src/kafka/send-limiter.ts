const forgetAfterMs = 50;

/**
 * Lets as many sends begin at once as there are brokers to answer them. kafkajs makes the sends of an idempotent
 * producer wait for each other,
 * broker by broker; waiting here instead lets a queue fill its batch until its turn, which halves the number of sends
 * under load. A send that
 * takes long, because its broker is away, no longer counts, so that it never holds up another partition.
 */
export class SendLimiter {
  private atOnce = 1;
  private begun = 0;
  private readonly waiting: (() => void)[] = [];

  allowAtLeast(brokers: number): void {
    this.atOnce = Math.max(this.atOnce, brokers);
  }

  /** Resolves when a send may begin, with the verb that says that it is over. */
  async acquire(): Promise<() => void> {
    if (this.begun < this.atOnce) this.begun += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let counted = true;
    const leave = (): void => {
      if (!counted) return;
      counted = false;
      clearTimeout(timer);
      const next = this.waiting.shift();
      if (next) next();
      else this.begun -= 1;
    };
    const timer = setTimeout(leave, forgetAfterMs);
    return leave;
  }
}
