import { Checks } from '../demo/checks';
import type { Installation } from './installation';

/** What callers saw in a step. */
export interface Seen {
  readonly calls: number;
  /** Calls in a second while the change lasted. */
  readonly perSecond?: number;
  /** Calls that were answered otherwise than expected, or not at all, by kind and outcome. */
  readonly failed: Readonly<Record<string, number>>;
  /** Calls that were first answered with 503 and `Retry-After`, by kind. */
  readonly refused?: Readonly<Record<string, number>>;
  /** How many of those were answered as expected when they were repeated. */
  readonly repeated?: number;
  readonly callbacks: number;
}

interface Row {
  readonly step: string;
  readonly seconds: number;
  readonly seen?: Seen;
  readonly restarts: number;
}

type Restarts = ReadonlyMap<string, number>;

/** Of pods that were there before as well as of new ones. */
export const restartsSince = (before: Restarts = new Map(), now: Restarts = new Map()): number =>
  [...now].reduce((sum, [pod, count]) => sum + count - (before.get(pod) ?? 0), 0);

const isSeen = (done: unknown): done is Seen => typeof done === 'object' && done !== null && 'calls' in done;

/** The steps of a run with their checks, times, calls and restarts. */
export class Proof {
  readonly checks = new Checks(console.log);
  readonly rows: Row[] = [];

  constructor(readonly short: boolean) {}

  /** Runs a step. Without an installation nothing counts restarts. */
  async step<T>(title: string, installation: Installation | undefined, run: () => Promise<T>): Promise<T> {
    this.checks.step(title);
    const begunMs = performance.now();
    const before = await installation?.restarts();
    const done = await run();
    const restarts = restartsSince(before, await installation?.restarts());
    const seconds = (performance.now() - begunMs) / 1_000;
    this.rows.push({ step: title, seconds, restarts, ...(isSeen(done) && { seen: done }) });
    return done;
  }

  /** Whether containers were started again in the last step. */
  noRestart(): void {
    const restarts = this.rows.at(-1)?.restarts ?? 0;
    this.checks.check('no container is started again', restarts === 0 ? [] : [String(restarts)]);
  }

  /** A step that could not be done. */
  broke(error: unknown): void {
    this.checks.check('the step can be done', [error instanceof Error ? error.message : String(error)]);
  }

  /** The exit code, after the table of all steps. */
  end(): number {
    console.table(
      this.rows.map(({ step, seconds, seen, restarts }) => ({
        step,
        seconds: Math.round(seconds),
        calls: seen?.calls,
        'a second': seen?.perSecond?.toFixed(1),
        failed: seen && JSON.stringify(seen.failed),
        refused: seen?.refused && JSON.stringify(seen.refused),
        repeated: seen?.repeated,
        callbacks: seen?.callbacks,
        restarts,
      })),
    );
    return this.checks.end();
  }
}
