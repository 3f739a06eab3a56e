import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { repository } from '../e2e/repository';

/** What a program of the benchmark can be asked to do, by name. What goes in and out is copied between processes. */
export type Tasks = Readonly<Record<string, (input: never) => Promise<unknown>>>;

interface Question {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly fault?: string;
}

/** A program of the benchmark in a process of its own, so that its work shows as its own in the figures. */
export class HelperProcess<T extends Tasks> {
  private readonly waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  private readonly gone: Promise<unknown>;
  private asked = 0;

  private constructor(private readonly child: ChildProcess) {
    this.gone = once(child, 'exit');
    child.on('message', ({ id, value, fault }: Answer) => {
      if (fault === undefined) this.waiting.get(id)?.resolve(value as never);
      else this.waiting.get(id)?.reject(new Error(fault));
      this.waiting.delete(id);
    });
    child.on('exit', (code) => {
      for (const { reject } of this.waiting.values())
        reject(new Error(`a program of the benchmark ended with exit code ${String(code)}`));
    });
  }

  /** Starts one of this folder's programs. A size of the thread pool counts only from a process's beginning. */
  static async start<T extends Tasks>(program: string, threads?: number): Promise<HelperProcess<T>> {
    const env = { ...process.env, ...(threads !== undefined && { UV_THREADPOOL_SIZE: String(threads) }) };
    const child = fork(repository('tools/run.mjs'), [`tools/bench/${program}.ts`], { serialization: 'advanced', env });
    const helper = new HelperProcess<T>(child);
    await Promise.race([
      once(child, 'message'),
      helper.gone.then(() => Promise.reject(new Error(`${program} did not start`))),
    ]);
    return helper;
  }

  ask<K extends keyof T & string>(task: K, input: Parameters<T[K]>[0]): Promise<Awaited<ReturnType<T[K]>>> {
    const id = (this.asked += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, task, input } satisfies Question);
    });
  }

  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    await this.gone;
  }
}

/** Works with one of this folder's programs and ends it, whatever happens. */
export async function withHelper<T extends Tasks, R>(
  program: string,
  work: (helper: HelperProcess<T>) => Promise<R>,
  threads?: number,
): Promise<R> {
  const helper = await HelperProcess.start<T>(program, threads);
  try {
    return await work(helper);
  } finally {
    await helper.stop();
  }
}

/** The other end: does what it is asked until the benchmark lets go of it. */
export function answerTasks(tasks: Tasks): void {
  const answer = async ({ id, task, input }: Question): Promise<Answer> => {
    try {
      return { id, value: await tasks[task]?.(input as never) };
    } catch (error) {
      return { id, fault: String(error) };
    }
  };
  process.on('message', (question: Question) => void answer(question).then((message) => process.send?.(message)));
  process.on('disconnect', () => process.exit());
  process.send?.({ id: 0 } satisfies Answer);
}
