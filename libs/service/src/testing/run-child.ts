import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundle } from '@opendsr-service/storage/testing';

/** Bundles the child program. */
export async function bundleChild(): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'dsr-child-'));
  const file = join(folder, 'child.mjs');
  await bundle(join(__dirname, 'child.ts'), file);
  return { file, remove: () => rm(folder, { recursive: true }) };
}

/** A running child, with a compile cache for all starts of its bundle: its lines of output, and how it ended. */
export class Child {
  output = '';
  complaint = '';
  private readonly process;
  readonly ended: Promise<number | null>;

  /** `unshare`: its options, where the child is to be the first process of a namespace. */
  constructor(
    file: string,
    env: Record<string, string> = {},
    args: readonly string[] = [],
    unshare?: readonly string[],
  ) {
    const command = [...(unshare ? ['unshare', ...unshare] : []), process.execPath, file, ...args] as [
      string,
      ...string[],
    ];
    this.process = spawn(command[0], command.slice(1), {
      env: {
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_PORT: '0',
        NODE_COMPILE_CACHE: join(dirname(file), 'compiled'),
        ...env,
      },
    });
    this.process.stderr.on('data', (chunk: Buffer) => (this.complaint += chunk.toString()));
    this.process.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(this.process, 'close').then(([code]) => code as number | null);
  }

  /** Resolves once it has complained of something in a whole line. */
  async complained(): Promise<void> {
    while (!this.complaint.includes('\n')) await once(this.process.stderr, 'data');
  }

  async nextOutput(): Promise<void> {
    await once(this.process.stdout, 'data');
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Signals what `unshare` started, from outside of its namespace, as container runtimes do. */
  async killInner(signal: NodeJS.Signals): Promise<void> {
    const pid = String(this.process.pid);
    process.kill(Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')), signal);
  }

  /** The first line of output that has a text in it, parsed. */
  async line(holding: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.output
        .split('\n')
        .slice(0, -1)
        .find((line) => line.includes(holding));
      if (found !== undefined) return JSON.parse(found) as Record<string, unknown>;
      const over = await Promise.race([
        once(this.process.stdout, 'data').then(() => false),
        this.ended.then(() => true),
      ]);
      if (over && !this.output.includes(holding))
        throw new Error(`the child ended before it said ${holding}: ${this.output}${this.complaint}`);
    }
  }
}

type ChildRun = ConstructorParameters<typeof Child> extends [file: string, ...run: infer R] ? R : never;

/** What only the full form of the plain specs runs (`npm run test:full`). */
export const itInFull = process.env['DSR_UNIT'] === 'full' ? it : it.skip;

/** Bundles the child once for a spec, and kills what it started in the end. Answers what starts one. */
export function startsChildren(): (...run: ChildRun) => Child {
  let bundled: Awaited<ReturnType<typeof bundleChild>>;
  const children: Child[] = [];
  beforeAll(async () => {
    bundled = await bundleChild();
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    // They write into the folder.
    await Promise.all(children.map(({ ended }) => ended));
    await bundled.remove();
  });
  return (...run) => {
    const child = new Child(bundled.file, ...run);
    children.push(child);
    return child;
  };
}
