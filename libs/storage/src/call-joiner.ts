import { context, type Context } from '@opentelemetry/api';
import { setImmediate as nextTurn } from 'node:timers/promises';

interface PendingCall<I, O> {
  readonly input: I;
  readonly asker: Context;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

/** Joins concurrent calls into one operation; later calls wait for the next. An error is the error of all. */
export class CallJoiner<I, O> {
  private asked: PendingCall<I, O>[] = [];
  private isRunning = false;

  constructor(
    private readonly run: (inputs: readonly I[]) => Promise<readonly O[]>,
    private readonly limit = 100,
  ) {}

  async call(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.asked.push({ input, asker: context.active(), resolve, reject });
      if (this.isRunning) return;
      this.isRunning = true;
      void this.drain();
    });
  }

  private async drain(): Promise<void> {
    await nextTurn();
    while (this.asked.length > 0) await this.answer(this.asked.splice(0, this.limit));
    this.isRunning = false;
  }

  private async answer(page: readonly PendingCall<I, O>[]): Promise<void> {
    try {
      const inputs = page.map(({ input }) => input);
      // Otherwise all later batches would run in the trace of the first caller.
      const outputs = await context.with((page[0] as PendingCall<I, O>).asker, () => this.run(inputs));
      for (const [n, { resolve }] of page.entries()) resolve(outputs[n] as O);
    } catch (error) {
      for (const { reject } of page) reject(error);
    }
  }
}
