import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger/logger';
import { StartupError } from './startup-error';
import { type MissingDependency, missingDependencyIn } from './missing-dependency';

/** Repeats `attempt` until it succeeds, fails with an error that waiting does not fix, or START_TIMEOUT_MS is over. */
export type WaitFor = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

export const tryOnce: WaitFor = (_what, attempt) => attempt();

export interface WaitTime {
  nowMs(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

const systemTime: WaitTime = {
  nowMs: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, signal && { signal }).catch(() => undefined),
};

/** Logged while no cause is known: the work may only be long. */
const NOT_DONE = 'it is not done yet';
const LOG_EVERY_MS = 5_000;
const GAP_MS = 500;
const REFUSED_GAP_MS = 5_000;
const SECOND_MS = 1_000;

type AttemptResult<T> = { readonly value: T } | { readonly error: unknown };

const attemptResultOf = <T>(work: Promise<T>): Promise<AttemptResult<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

class StartWait {
  private readonly endMs: number;
  private loggedMs = 0;

  constructor(
    private readonly limitMs: number,
    private readonly log: Logger,
    private readonly time: WaitTime,
  ) {
    this.endMs = time.nowMs() + limitMs;
  }

  async for<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    const sinceMs = (this.loggedMs = this.time.nowMs());
    let lack = { what, why: NOT_DONE };
    for (;;) {
      const outcome = await this.logWhile(attemptResultOf(attempt()), lack, sinceMs);
      if ('value' in outcome) return outcome.value;
      const found = missingDependencyIn(outcome.error);
      if (!found) throw outcome.error;
      lack = { what: found.what ?? what, why: found.why };
      await this.logWhile(this.time.pause(found.isRefused ? REFUSED_GAP_MS : GAP_MS), lack, sinceMs);
    }
  }

  /** Settles as the work does. Until then it logs what is missing; rejects at the time limit. */
  private async logWhile<T>(
    work: Promise<T>,
    { what, why }: Pick<MissingDependency, 'what' | 'why'>,
    sinceMs: number,
  ): Promise<T> {
    const done = work.then((value) => ({ value }));
    for (;;) {
      const early = new AbortController();
      const untilMs = Math.min(this.loggedMs + LOG_EVERY_MS, this.endMs);
      const first = await Promise.race([done, this.time.pause(Math.max(0, untilMs - this.time.nowMs()), early.signal)]);
      early.abort();
      if (first) return first.value;
      const nowMs = this.time.nowMs();
      if (nowMs >= this.endMs)
        throw new StartupError(`waited ${this.limitMs / SECOND_MS} s (START_TIMEOUT_MS) for ${what}: ${why}`);
      if (nowMs - this.loggedMs < LOG_EVERY_MS) continue;
      this.loggedMs = nowMs;
      this.log.info({ for: what, reason: why, seconds: Math.round((nowMs - sinceMs) / SECOND_MS) }, 'Waiting');
    }
  }
}

export function startWait(limitMs: number, log: Logger, time: WaitTime = systemTime): WaitFor {
  const wait = new StartWait(limitMs, log, time);
  return (what, attempt) => wait.for(what, attempt);
}
