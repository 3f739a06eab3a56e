import { LogAway } from '../errors';

/** Limits waits for the log: `atMostMs` without progress, or until the log is closed. */
export class ReadDeadline {
  private readonly over = new AbortController();
  private readonly signal: AbortSignal;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly atMostMs: number,
    closed: AbortSignal,
  ) {
    this.signal = AbortSignal.any([closed, this.over.signal]);
    this.restart();
  }

  restart(): void {
    this.pause();
    this.timer = setTimeout(
      () => this.over.abort(new LogAway(`the log gave nothing for ${this.atMostMs} ms`)),
      this.atMostMs,
    ).unref();
  }

  pause(): void {
    clearTimeout(this.timer);
  }

  async race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    let stop = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
