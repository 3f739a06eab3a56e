import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { findProgram, type ProgramEnv } from '../find-program';

interface PromtoolEnv extends ProgramEnv {
  readonly DSR_TEST_PROMTOOL?: string;
}

/** Where get-promtool.sh puts promtool, and the reason for a failure. */
const fetched = () => repository('reports/promtool/promtool');
const whyNot = () => repository('reports/promtool/why-not.txt');

const reason = (): string | undefined => (existsSync(whyNot()) ? readFileSync(whyNot(), 'utf8').trim() : undefined);

/** Where promtool is: what `DSR_TEST_PROMTOOL` names, the PATH, or where .ci/run has put it; see `findProgram`. */
export const findPromtool = (env: PromtoolEnv): string | undefined =>
  findProgram(
    {
      name: 'promtool',
      variable: 'DSR_TEST_PROMTOOL',
      beside: [fetched()],
      places: 'reports/promtool, by tools/monitoring/get-promtool.sh',
      because: reason,
    },
    env.DSR_TEST_PROMTOOL,
    env,
  );

interface Outcome {
  readonly ok: boolean;
  /** Everything that it says. */
  readonly text: string;
}

/** One program, asked as often as a spec needs it. */
export class Promtool {
  constructor(private readonly program: string) {}

  /** Whether Prometheus would take these files of rules. */
  checkRules(files: readonly string[]): Outcome {
    return this.run(['check', 'rules', ...files]);
  }

  /** Lives through the series of these files of tests. */
  testRules(files: readonly string[]): Outcome {
    return this.run(['test', 'rules', ...files]);
  }

  private run(args: readonly string[]): Outcome {
    const { status, stdout, stderr, error } = spawnSync(this.program, args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    if (error) throw error;
    return { ok: status === 0, text: `${stdout}\n${stderr}`.trim() };
  }
}
