import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../e2e/controller';

export interface CallCounts {
  readonly calls: number;
  /** Answers other than those that were expected, by status, or by why none came. */
  readonly failed: Readonly<Record<string, number>>;
}

/** Why no answer came: a code of the system or of the HTTP client. */
const codeOf = (error: unknown): string =>
  (error instanceof Error && (error.cause as { code?: string } | undefined)?.code) || 'broken';

const MS_A_SECOND = 1_000;
const EXPECTED: ReadonlySet<number> = new Set([200, 201, 202]);

/** Makes calls at a rate, whether or not earlier ones are answered, until it is stopped. */
export class SteadyCalls {
  private readonly answered: Promise<void>[] = [];
  private readonly failed: Record<string, number> = {};
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly call: (n: number) => Promise<Answer>,
    private readonly perSecond: number,
  ) {
    this.running = this.run();
  }

  /** Stops, waits for the last answers, and says what came. */
  async stop(): Promise<CallCounts> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.answered);
    return { calls: this.answered.length, failed: this.failed };
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      this.answered.push(this.count(this.call(n)));
      await sleep(MS_A_SECOND / this.perSecond);
    }
  }

  private async count(answering: Promise<Answer>): Promise<void> {
    const status = await answering.then(
      (answer) => (EXPECTED.has(answer.status) ? undefined : String(answer.status)),
      codeOf,
    );
    if (status !== undefined) this.failed[status] = (this.failed[status] ?? 0) + 1;
  }
}
