import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../receiver/until';
import { repository } from './repository';

export type Environment = Readonly<Record<string, string>>;

interface ChildOptions {
  /** How its lines are marked where several processes' logs are shown together. */
  readonly name: string;
  /** Arguments of node, from the repository's root. */
  readonly args: readonly string[];
  readonly env: Environment;
}

/** A process of ours under test: everything it says is kept, and it is ended by its own id. */
export class ChildService {
  private readonly chunks: Buffer[] = [];
  private readonly errorChunks: Buffer[] = [];
  private readonly gone: Promise<unknown>;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => void (this.chunks.push(chunk), this.errorChunks.push(chunk)));
    this.gone = once(child, 'close');
  }

  /**
   * The service inherits only the path, so that its settings decide. Node keeps its compile cache for hundreds of
   * starts.
   */
  static spawn({ name, args, env }: ChildOptions): ChildService {
    // Which instructions RSA may use: a bench compares machines by it.
    const { PATH, OPENSSL_ia32cap } = process.env;
    const child = spawn(repository('node_modules/.bin/node'), args, {
      cwd: repository(),
      env: { PATH, OPENSSL_ia32cap, NODE_COMPILE_CACHE: repository('node_modules/.cache/compiled'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ChildService(name, child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get output(): string {
    return Buffer.concat(this.chunks).toString();
  }

  get errorOutput(): string {
    return Buffer.concat(this.errorChunks).toString();
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until the process is ready; throws its output if it ends before. */
  async ready(adminUrl: string, timeoutMs = 60_000): Promise<void> {
    await until(
      `${this.name} to be ready`,
      async () => {
        if (!this.running) throw new Error(`${this.name} ended before it was ready:\n${this.output}`);
        return fetch(`${adminUrl}/readyz`).then(
          async (answer) => (await answer.arrayBuffer(), answer.status === 200),
          () => false,
        );
      },
      timeoutMs,
    ).catch((error: unknown) => {
      throw new Error(`${this.name} did not become ready:\n${this.output}`, { cause: error });
    });
  }

  /** Resolves to its exit code, null where a signal ended it. */
  async exit(): Promise<number | null> {
    await this.gone;
    return this.child.exitCode;
  }

  /** Sends a signal, waits for the end and answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.running) this.child.kill(signal);
    return this.exit();
  }
}

const TROUBLES_SHOWN = 5;
const LINES_SHOWN = 3;
const LINE_CHARS = 300;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/**
 * What processes complained of last, their last lines, and those about the first request that the error names; short,
 * so that where a run's record is cut the error beside it can still be read.
 */
export const lastWords = (processes: readonly Pick<ChildService, 'name' | 'output'>[], error?: unknown): string => {
  const [named] = UUID.exec(String(error)) ?? [];
  return processes
    .map(({ name, output }) => {
      const lines = output.trimEnd().split('\n');
      const about = named === undefined ? [] : lines.filter((line) => line.includes(named));
      const before = lines
        .slice(0, -LINES_SHOWN)
        .filter((line) => !line.startsWith('{"level":"info"') && !line.startsWith('{"level":"debug"'));
      return [
        `── ${name} ──`,
        ...[...before.slice(-TROUBLES_SHOWN), ...lines.slice(-LINES_SHOWN), ...about.slice(-TROUBLES_SHOWN)].map(
          (line) => line.slice(0, LINE_CHARS),
        ),
      ].join('\n');
    })
    .join('\n');
};
