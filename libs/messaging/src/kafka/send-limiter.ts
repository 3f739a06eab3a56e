const forgetAfterMs = 50;

/**
 * Allows as many concurrent sends as there are brokers. kafkajs serialises the sends of an idempotent producer for each
 * broker; waiting here instead fills batches, which halves the sends under load. A slow send no longer counts after a
 * while, so it never holds up another partition.
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
