const forgetAfterMs = 50;

/**
 * Allows as many concurrent sends as there are brokers. kafkajs serialises an idempotent producer's sends to each
 * broker; waiting here instead fills batches. A slow send stops counting after a while, so it blocks no other
 * partition.
 */
export class SendLimiter {
  private atOnce = 1;
  private begun = 0;
  private readonly waiting: (() => void)[] = [];

  allowAtLeast(brokers: number): void {
    this.atOnce = Math.max(this.atOnce, brokers);
  }

  /** Resolves when a send may begin, with its release function. */
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
