import { LogAway } from '../errors';
import { untilAborted } from '../until-aborted';

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

  race<T>(work: Promise<T>): Promise<T> {
    return untilAborted(work, this.signal);
  }
}
